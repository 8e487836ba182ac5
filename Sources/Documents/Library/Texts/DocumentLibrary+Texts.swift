public import Documents
internal import Linux
public import Media
internal import Objects
internal import SourceFiles
internal import Thumbnailer

/// The places in a document's pages where a text was found.
public struct TextSearch: Sendable {
    /// The pages with matches, in order.
    public var pages: [(page: PageText, matches: [PageText.Match])] = []
    /// The page index to continue from if time ran out before the last page; `nil` if all pages were searched.
    public var nextPageIndex: Int?
}

extension DocumentLibrary {
    /// The words of a page and their places, from the cache or read now in the page's own child.
    ///
    /// - Throws: `notFound` if the document has no such page; `quarantined`; `Failure` if its file has no readable
    ///   pages.
    public func text(of document: Document, pageIndex: Int) throws -> PageText {
        let source = try source(of: document)
        do throws(Failure) {
            return try engine.text(of: source, page: pageIndex, knownDigest: document.file.digest)
        } catch {
            if error.code == .usage { throw DocumentError.notFound(.page) }
            throw error
        }
    }

    /// Searches the pages from `first` on, ignoring case and accents, for as long as `limit` allows.
    ///
    /// - Throws: as `text`.
    public func search(
        _ document: Document, for query: String, from first: Int, limit: Duration
    ) throws -> TextSearch {
        let end = Time.monotonic + limit
        var found = TextSearch()
        let source = try source(of: document)
        var index = first
        while true {
            let pages = try engine.texts(of: source, from: index, atMost: 64, knownDigest: document.file.digest)
            for page in pages {
                let matches = page.matches(query)
                if !matches.isEmpty { found.pages.append((page, matches)) }
            }
            index += pages.count
            if index >= pages[0].pageCount { return found }
            if Time.monotonic >= end {
                found.nextPageIndex = index
                return found
            }
        }
    }

    private func source(of document: Document) throws -> SourceFile {
        let object = try Self.object(of: document)
        do throws(ObjectError) {
            return try objects.source(object, name: document.file.name)
        } catch {
            throw error.failure
        }
    }
}
