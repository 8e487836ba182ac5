import Linux
import Media
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("A busy service is asked again, and not too often", .deadline)
struct BusyTests {
    private let order = Order(recipes: [Recipe(box: Box(width: 8, height: 8)!, fit: .inside)])

    /// Occupies one place of a server until `free` is called.
    private struct Occupant {
        private let client: WarmClient
        private let result = Promise<Result<Thumbnails, Failure>>()

        init(_ machine: Machine, at server: WarmServer, _ order: Order) throws {
            client = machine.client()
            let engine = machine.engine(asking: client)
            let source = try machine.source("sleep 60000", name: "sleeper.png")
            let result = result
            _ = try WorkerThread(name: "occupant") {
                result.fulfil(Result { () throws(Failure) in try engine.thumbnails(of: source, order: order) })
            }
            #expect(eventually { server.runningCount == 1 })
        }

        func free() {
            client.cancelAll()
            _ = try? result.value()
        }
    }

    /// Makes a picture that the cache lacks.
    private func make(_ machine: Machine, _ engine: Thumbnailer, _ number: Int) throws -> Thumbnails {
        let source = try machine.source("paint \(number)", name: "\(number).png")
        let made = try engine.thumbnails(of: source, order: order)
        #expect(try made.results[0].get().rendition.width == 8)
        return made
    }

    /// How many requests were turned away.
    private func busyCount(_ machine: Machine) -> Int {
        machine.served.count { if case .busy = $0.outcome { true } else { false } }
    }

    @Test("A busy service's files are made here, and the next one there as soon as there is room")
    func again() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server(requestLimit: 1)
        defer { server.stop() }
        let occupant = try Occupant(machine, at: server, order)
        let engine = machine.engine(asking: machine.client())
        for number in 1...3 {
            #expect(try !make(machine, engine, number).isWarm)
            #expect(machine.explanations.last?.contains("it is busy") == true)
        }
        #expect(busyCount(machine) == 3, "it was asked each time")
        occupant.free()
        #expect(eventually { server.runningCount == 0 })
        #expect(try make(machine, engine, 4).isWarm)
    }

    @Test("No source asks within the pause, even if there is room by then")
    func pause() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server(requestLimit: 1)
        defer { server.stop() }
        let occupant = try Occupant(machine, at: server, order)
        let engine = machine.engine(asking: machine.client(pause: .seconds(3600)))
        #expect(try !make(machine, engine, 1).isWarm)
        #expect(machine.explanations.last?.contains("it is busy") == true)
        occupant.free()
        #expect(eventually { server.runningCount == 0 })
        for number in 2...6 {
            #expect(try !make(machine, engine, number).isWarm)
            #expect(machine.explanations.last?.contains("asked again in a moment") == true)
        }
        #expect(busyCount(machine) == 1)
    }

    @Test("A full queue of connections is no reason never to ask again")
    func fullQueue() throws {
        let machine = try Machine()
        defer { machine.close() }
        let engine = machine.engine(asking: machine.client())
        do {
            let waiting = try fill(machine)
            defer { withExtendedLifetime(waiting) {} }
            #expect(try !make(machine, engine, 1).isWarm)
            #expect(machine.explanations.last?.contains("it is busy") == true)
        }
        let server = try machine.server()
        defer { server.stop() }
        #expect(try make(machine, engine, 2).isWarm)
    }

    /// Connections to a listener that accepts none, as many as there can be. It ends with the answer.
    private func fill(_ machine: Machine) throws -> (LocalListener, [MessageSocket]) {
        let place = try LocalSocket(path: machine.socketPath, makesFolder: true)
        let listener = try place.listen()
        var waiting: [MessageSocket] = []
        while let socket = try? place.connect() { waiting.append(socket) }
        return (listener, waiting)
    }

    @Test("After a pause one source asks for all; a final refusal stays final")
    func turns() {
        var asking = WarmAsking(pause: .seconds(2))
        func mayAsk(at second: Int) -> Bool { asking.begin(at: .seconds(second)) }
        #expect(mayAsk(at: 0) && mayAsk(at: 0))
        asking.refused(.atOnce, at: .zero)
        #expect(mayAsk(at: 0))
        asking.refused(.afterPause, at: .seconds(1))
        #expect(!mayAsk(at: 1) && !mayAsk(at: 2))
        #expect(mayAsk(at: 3), "the pause is over")
        #expect(!mayAsk(at: 3) && !mayAsk(at: 4), "somebody tries")
        #expect(mayAsk(at: 5), "whoever tried has not been heard for a pause")
        asking.accepted()
        #expect(mayAsk(at: 5) && mayAsk(at: 5))
        asking.refused(.afterPause, at: .seconds(6))
        asking.refused(.never, at: .seconds(6))
        asking.accepted()
        asking.refused(.afterPause, at: .seconds(6))
        #expect(!mayAsk(at: 1000) && asking.isGivenUp)
    }
}
