internal import Matching
internal import Media
internal import Synchronization

/// A cache of the towns that the places of postings name, by text: feeds repeat the same few. Safe for several threads.
final class PlaceMemory: Sendable {
    private let gazetteer: Gazetteer
    private let known = Mutex(Recent<String, Place?>(cost: 50_000))

    init(_ gazetteer: Gazetteer) { self.gazetteer = gazetteer }

    /// The texts whose town is within reach of another, in alphabetical order.
    func texts(_ texts: [String], within kilometres: Double, of home: Place) -> [String] {
        known.withLock { known in
            texts.filter { text in
                guard let place = place(text, &known) else { return false }
                return home.kilometres(to: place) <= kilometres
            }
        }.sorted()
    }

    private func place(_ text: String, _ known: inout Recent<String, Place?>) -> Place? {
        if let place = known.value(for: text) { return place }
        let place = gazetteer.place(text)
        known.keep(place, for: text)
        return place
    }
}
