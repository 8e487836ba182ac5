import CLinux
import Linux
import Media
import RenderHost
import TestDeadline
import TestSupport
import Testing
import Wire

@Suite("The host's answer to everything a child may do", .serialized, .deadline)
struct RenderHostTests {
    @Test("A sound answer gives the facts and the pixels that the child wrote")
    func soundAnswer() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let rendered = try fake.run("paint")
        #expect(rendered.facts.mediaType == .png)
        #expect(rendered.bitmaps.map(\.size) == [PixelSize(width: 8, height: 8)])
        rendered.bitmaps[0].withUnsafeBytes { bytes in #expect(bytes.allSatisfy { $0 == 1 }) }
        #expect(rendered.usage.peakByteCount > 0)
    }

    @Test("A child reports what the source is where it was asked to, and goes on where the guess was right")
    func recognized() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let recognition = Recognition()
        #expect(try fake.run("paint as image/png", recognition: recognition).bitmaps.count == 1)
        #expect(recognition.facts == Facts(mediaType: .png, byteCount: 18))
    }

    @Test("A client can have the pictures before the child has ended, once nobody can write to them")
    func drawn() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let early = Promise<[Bitmap]>()
        let rendered = try fake.run("paint", drawn: { early.fulfil($0) })
        let bitmap = try #require(early.current?.first)
        #expect(bitmap.size == rendered.bitmaps[0].size)
        bitmap.withUnsafeBytes { bytes in #expect(bytes.allSatisfy { $0 == 1 }) }
    }

    @Test("The host waits for a child that answers and could still write")
    func stillWriting() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let early = Promise<[Bitmap]>()
        _ = try? fake.run("endless", within: 1, drawn: { early.fulfil($0) })
        #expect(early.current == nil)
    }

    @Test("Nothing is decoded where the guess was wrong, or the source is unknown")
    func notRecognized() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        for (command, told) in [("crash 11 as image/gif", MediaType.gif), ("crash 11", nil)] {
            let recognition = Recognition()
            let failure = #expect(throws: Failure.self) { try fake.run(command, recognition: recognition) }
            #expect(failure?.code == .unsupported)
            #expect(recognition.facts?.mediaType == told)
        }
    }

    @Test("A child is not asked to recognise a source that an earlier child has recognised")
    func recognizedOnce() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let explanation = Explanation()
        let picture = RenderTask.Picture(box: Box(width: 8, height: 8)!, fit: .inside, gravity: .centre, enlarge: false)
        let task = RenderTask(
            mediaType: .png, recognition: Recognition(), limits: Limits(), explanation: explanation,
            pictures: [picture])
        _ = try fake.host.perform(task, on: FakeHost.source("decline as image/png"), by: .plain)
        #expect(explanation.children.map { $0.steps.contains { $0.name == "recognize" } } == [true, false])
    }

    @Test("The recognition of a source stands, whatever the child does afterwards", arguments: ["recant", "crash 11"])
    func recognitionStands(command: String) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let recognition = Recognition()
        let failure = #expect(throws: Failure.self) {
            try fake.run("\(command) as image/png", recognition: recognition)
        }
        #expect(failure?.code == .crashed)
        #expect(recognition.facts?.mediaType == .png)
    }

    @Test("A child's own failure is passed on unchanged")
    func ownFailure() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run("fail") }
        #expect(failure?.code == .encrypted)
        #expect(failure?.detail == "as asked")
    }

    @Test("A child that dies for lack of memory reports that")
    func lackOfMemory() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run("allocate") }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.detail.hasPrefix(Failure.memoryDetail) == true)
        #expect(try fake.run("paint").bitmaps.count == 1, "the host goes on")
    }

    @Test(
        "Every way of dying is `crashed`",
        arguments: [
            "crash 11", "crash 6", "crash 7", "crash 4", "crash 8", "crash 9", "crash 15", "crash 13", "exit 0",
            "exit 3",
            "write", "silent", "nonsense", "truncated", "trailing", "oversized", "missing", "huge",
            "closed", "pretend", "empty", "text unasked",
        ])
    func crashes(command: String) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run(command) }
        #expect(failure?.code == .crashed)
        #expect(try fake.run("paint").bitmaps.count == 1, "the host goes on")
    }

    @Test("A page's text is parsed as hostile input")
    func text() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        var task = RenderTask(mediaType: .png, limits: Limits(), pageIndex: 3)
        task.readsText = true
        let read = try fake.host.perform(task, on: FakeHost.source("text"), by: .image)
        guard case .page(let page) = read.text else { return #expect(Bool(false), "a page's text") }
        #expect(page.words.map(\.text) == ["fake", "text"], "what is not printable is left out")
        #expect(page.pageIndex == 3)
        for lie in ["pictures", "beyond", "zeros", "elsewhere", "shorter"] {
            let failure = #expect(throws: Failure.self, "\(lie)") {
                try fake.host.perform(task, on: FakeHost.source("text \(lie)"), by: .image)
            }
            #expect(failure?.code == .crashed, "\(lie)")
        }
    }

    @Test("A document's text is parsed as hostile input")
    func documentText() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        var task = RenderTask(mediaType: .plainText, limits: Limits())
        task.readsText = true
        let read = try fake.host.perform(task, on: FakeHost.source("document"), by: .text)
        let paragraph = TextParagraph("fake text\n", cell: TextParagraph.Cell(table: 0, row: 1, column: 2))
        #expect(read.text == .document(DocumentText(paragraphs: [paragraph])))
        for lie in ["document beyond", "document zeros", "document shorter", "text"] {
            let failure = #expect(throws: Failure.self, "\(lie)") {
                try fake.host.perform(task, on: FakeHost.source(lie), by: .text)
            }
            #expect(failure?.code == .crashed, "\(lie)")
        }
    }

    @Test(
        "After a crash the library alone tries once more: a fault of ours fails no sound file",
        arguments: [false, true])
    func plainSecondTry(isOnly: Bool) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let explanation = Explanation()
        let picture = RenderTask.Picture(box: Box(width: 8, height: 8)!, fit: .inside, gravity: .centre, enlarge: false)
        var task = RenderTask(
            mediaType: .webp, limits: Limits(), threadCount: 4, explanation: explanation, pictures: [picture],
            isOnly: isOnly)
        #expect(try fake.host.perform(task, on: FakeHost.source("shortcut 11"), by: .image).bitmaps.count == 1)
        #expect(explanation.children.map(\.skipsShortcuts) == [false, true])
        task.skipsShortcuts = true
        #expect(try fake.host.perform(task, on: FakeHost.source("shortcut 11"), by: .image).bitmaps.count == 1)
        #expect(
            explanation.children.map(\.skipsShortcuts) == [false, true, true], "and a task may ask for that at once")
    }

    @Test("A child sends no descriptors", arguments: ["gifts", "twice", "emptyGift"])
    func noGifts(command: String) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run(command) }
        #expect(failure?.detail == "system call sendmsg")
    }

    @Test("Without the filter, a descriptor in place of an answer is `crashed`")
    func emptyGift() throws {
        let fake = try FakeHost(behaviour: "only fileRules namespaces limits")
        defer { fake.close() }
        #expect(#expect(throws: Failure.self) { try fake.run("emptyGift") }?.code == .crashed)
    }

    @Test(
        "Without the filter, descriptors that nobody asked for are closed, and further answers are not read",
        arguments: ["gifts", "twice"])
    func gifts(command: String) throws {
        let fake = try FakeHost(behaviour: "only fileRules namespaces limits")
        defer { fake.close() }
        #expect(try fake.run(command).bitmaps.count == 1)
        #expect(try fake.run("paint").bitmaps.count == 1)
    }

    @Test("A child that never ends is killed at its deadline", arguments: ["hang", "spin", "stop", "endless", "flood"])
    func deadlines(command: String) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let start = Time.monotonic
        // A flood of standard error ends by itself where that is the null device's; all others only by being killed.
        let failure = #expect(throws: Failure.self) { try fake.run(command, within: 1) }
        #expect(failure?.code == .timedOut)
        #expect(Time.monotonic - start < .seconds(20), "after one second, on a machine that is not busy")
    }

    @Test("The successor renders a declined file; where it declines too, the file has crashed")
    func declined() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let direct = try fake.run("paint", as: .plain)
        #expect(direct.rendererClass == .plain)
        let passedOn = try fake.run("decline", as: .plain)
        #expect(passedOn.rendererClass == .image && passedOn.bitmaps.count == 1)
        let failure = #expect(throws: Failure.self) { try fake.run("declineAlways", as: .plain) }
        #expect(failure?.code == .crashed)
    }

    @Test("The failure names the forbidden system call", arguments: RendererClass.allCases)
    func forbiddenCall(rendererClass: RendererClass) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run("connect", as: rendererClass) }
        #expect(failure?.code == .sandboxed)
        #expect(failure?.detail == "system call socket")
    }

    @Test("A call that no library makes ends the child before any handler, so the failure has no name of it")
    func killingCall() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run("trace") }
        #expect(failure?.code == .sandboxed)
        #expect(failure?.detail == "a forbidden system call")
    }

    @Test("A renderer that dies over a task is restarted, and the task fails as crashed after its second try")
    func rendererDies() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) {
            try fake.run("paint", mediaType: MediaType(rawValue: "x-fake/die"))
        }
        #expect(failure?.code == .crashed)
        #expect(try fake.run("paint").bitmaps.count == 1)
    }

    @Test("A renderer that cannot start is reported soon as unavailable, with its reason")
    func rendererCannotStart() throws {
        let fake = try FakeHost(behaviour: "refuse")
        defer { fake.close() }
        let failure = #expect(throws: Failure.self) { try fake.run("paint") }
        #expect(failure?.code == .unavailable)
        #expect(failure?.detail.contains("asked not to start") == true)
    }

    @Test("A missing layer of the sandbox is noted, and refused where the sandbox is required")
    func incompleteSandbox() throws {
        for requiresSandbox in [false, true] {
            let fake = try FakeHost(behaviour: "only systemCalls fileRules limits", requiresSandbox: requiresSandbox)
            defer { fake.close() }
            if requiresSandbox {
                let failure = #expect(throws: Failure.self) { try fake.run("paint") }
                #expect(failure?.code == .unavailable)
                #expect(failure?.detail == "NO NAMESPACES: left out")
            } else {
                #expect(try fake.run("paint").bitmaps.count == 1)
                #expect(try fake.host.build(of: .image).notes == ["NO NAMESPACES: left out"])
            }
        }
    }

    @Test("The failure of a missing program names the program")
    func missingProgram() throws {
        let host = RenderHost(programs: RendererPrograms(directory: "/nowhere"))
        let failure = #expect(throws: Failure.self) { try host.build(of: .pdf) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.detail.contains("/nowhere/compass-render-pdf") == true)
    }

    @Test("Shutting down lets a running task finish within its patience, and ends one that does not")
    func shutDown() throws {
        for (command, isFinished) in [("sleep 300", true), ("hang", false)] {
            let fake = try FakeHost()
            defer { fake.close() }
            let result = Promise<Result<RenderedSource, Failure>>()
            let thread = try WorkerThread(name: "task") {
                result.fulfil(Result { () throws(Failure) in try fake.run(command, within: 60) })
            }
            #expect(eventually { fake.host.runningCount == 1 })
            Time.sleep(.milliseconds(100))
            let start = Time.monotonic
            fake.host.shutDown(finishingWithin: .seconds(2))
            #expect(Time.monotonic - start < .seconds(20))
            thread.join()
            switch try result.value() {
            case .success: #expect(isFinished)
            case .failure(let failure): #expect(!isFinished && failure.code == .cancelled)
            }
        }
    }

    @Test("Cancelling ends running children and every later task")
    func cancelling() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let host = fake.host
        let thread = try WorkerThread(name: "cancel") {
            Time.sleep(.milliseconds(200))
            host.cancelAll()
        }
        let start = Time.monotonic
        let failure = #expect(throws: Failure.self) { try fake.run("hang", within: 60) }
        thread.join()
        #expect(failure?.code == .cancelled)
        #expect(Time.monotonic - start < .seconds(20))
        #expect(#expect(throws: Failure.self) { try fake.run("paint") }?.code == .cancelled)
    }

    @Test("A task whose client leaves ends at once, admitted or waiting, and the next task gets its place")
    func leaving() throws {
        let fake = try FakeHost(capacity: Capacity(childCount: 1))
        defer { fake.close() }
        let cancellations = [Cancellation(), Cancellation()]
        let ends = [Promise<Failure.Code?>(), Promise<Failure.Code?>()]
        var threads: [WorkerThread] = []
        for (index, cancellation) in cancellations.enumerated() {
            threads.append(
                try WorkerThread(name: "task") {
                    let task = RenderTask(mediaType: .png, limits: Limits(), cancellation: cancellation)
                    let result = Result { () throws(Failure) in
                        try fake.host.perform(task, on: try! FakeHost.source("hang"), by: .image)
                    }
                    if case .failure(let failure) = result { ends[index].fulfil(failure.code) }
                })
            #expect(eventually { fake.host.runningCount + fake.host.lineLength == index + 1 })
        }
        cancellations[1].cancel()
        #expect(try ends[1].value() == .cancelled)
        #expect(ends[0].current == nil && fake.host.runningCount == 1 && fake.host.lineLength == 0)
        cancellations[0].cancel()
        #expect(try ends[0].value() == .cancelled)
        for thread in threads { thread.join() }
        #expect(try fake.run("paint").bitmaps.count == 1)
    }

    @Test("Each of many simultaneous tasks on one renderer gets its own answer")
    func manyAtOnce() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let threads = try (0..<8).map { number in
            try WorkerThread(name: "task-\(number)") {
                for round in 0..<20 {
                    if (number + round) % 3 == 0 {
                        let failure = #expect(throws: Failure.self) { try fake.run("fail") }
                        #expect(failure?.code == .encrypted)
                    } else {
                        #expect(throws: Never.self) { try fake.run("paint") }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
    }
}
