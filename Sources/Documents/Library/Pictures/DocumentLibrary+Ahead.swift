internal import Documents
internal import JobQueue
internal import Media
internal import ThumbnailCache

extension DocumentLibrary {
    /// Records that the neighbours of a page are likely to be requested next.
    ///
    /// Thumbnails allow an icon: a list of documents requests no further page.
    ///
    /// - Parameter isVisited: whether a visitor asks: a visitor's wishes displace nobody else's.
    func wishNeighbours(of recipe: Recipe, of document: Document, isVisited: Bool) {
        guard !recipe.allowsIcon, let pageCount = document.facts?.pageCount else { return }
        // The next page is wished last, and so made first.
        for pageIndex in [recipe.pageIndex - 1, recipe.pageIndex + 1] where (0..<pageCount).contains(pageIndex) {
            var neighbour = recipe
            neighbour.pageIndex = pageIndex
            ahead.wish(for: neighbour, of: document, isLast: isVisited)
        }
    }

    /// Orders the next wished picture at the lowest priority, if no request waits for a picture and the last one is
    /// made.
    func orderAhead() throws(DocumentError) {
        guard desk.jobs.isEmpty else { return }
        if let order = ahead.order {
            guard try isOver(order.job) else { return }
            ahead.order = nil
            // The document may have been deleted while its picture was made.
            if try !store.isUsed(order.digest) { purge(order.digest) }
        }
        while let wish = ahead.next() {
            let file = wish.document.file
            guard cachedPicture(of: wish.document, wish.recipe) == nil, try store.isUsed(file.digest) else { continue }
            guard let object = file.object, let job = try orderIfThere(wish.recipe, of: object) else { continue }
            ahead.order = PicturesAhead.Order(job: job, digest: file.digest)
            return
        }
    }

    /// - Returns: `nil` for a file that was removed after the wish.
    private func orderIfThere(_ recipe: Recipe, of object: ObjectID) throws(DocumentError) -> JobID? {
        do throws(DocumentError) {
            return try order(recipe, of: object, .ahead)
        } catch {
            if error == .notFound(.file) { return nil }
            throw error
        }
    }

    private func purge(_ digest: Digest) {
        do {
            try cache.purge(digest)
            try shared?.remove(digest)
        } catch {
            warn(.unavailable(detail: "pictures of a deleted document cannot be removed yet: \(error)"))
        }
    }
}
