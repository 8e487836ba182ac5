/// A part of an upload in parts, as the store has confirmed it.
package struct S3Part: Hashable, Sendable {
    /// From 1.
    package let number: Int
    /// With its quotes.
    package let tag: String

    /// A part that was sent before.
    package init(number: Int, tag: String) {
        self.number = number
        self.tag = tag
    }
}

extension S3Client {
    /// Begins an upload in parts.
    ///
    /// - Returns: its name.
    package func beginParts(_ key: String, metadata: [String: String]) throws(S3Fault) -> String {
        var request = S3Request("POST", key)
        request.query = [("uploads", "")]
        request.headers = Self.fields(metadata)
        request.root = "InitiateMultipartUploadResult"
        guard let id = try send(request).root.text("UploadId"), !id.isEmpty else {
            throw .refused("an upload in parts without a name")
        }
        return id
    }

    /// Sends a part: 5 MiB to 5 GiB, the last one of any size. One of that number is replaced.
    ///
    /// - Throws: `missingUpload`.
    package func send(
        part number: Int, of upload: String, _ key: String, _ body: S3Body
    ) throws(S3Fault) -> S3Part {
        var request = S3Request("PUT", key)
        request.query = [("partNumber", "\(number)"), ("uploadId", upload)]
        request.body = body
        guard let tag = try send(request).headers["etag"], !tag.isEmpty else { throw .refused("a part without a tag") }
        return S3Part(number: number, tag: tag)
    }

    /// Makes a part of bytes of another object of the bucket.
    package func copy(
        part number: Int, of upload: String, _ key: String, from source: String, tag: String, _ range: Range<Int64>
    ) throws(S3Fault) -> S3Part {
        var request = S3Request("PUT", key)
        request.query = [("partNumber", "\(number)"), ("uploadId", upload)]
        request.mayTakeLong = true
        request.headers = copySource(source, tag)
        request.headers.append(("x-amz-copy-source-range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
        request.root = "CopyPartResult"
        guard let tag = try send(request).root.text("ETag"), !tag.isEmpty else {
            throw .refused("a copied part without a tag")
        }
        return S3Part(number: number, tag: tag)
    }

    /// Makes an object of the parts; one at that key is replaced.
    ///
    /// - Throws: `missingUpload` also where an earlier call succeeded, whose answer was lost.
    package func completeParts(_ parts: [S3Part], of upload: String, _ key: String) throws(S3Fault) {
        var request = S3Request("POST", key)
        request.mayTakeLong = true
        request.query = [("uploadId", upload)]
        let list = parts.map { part in
            let tag = part.tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
                "\"", with: "&quot;")
            return "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        request.root = "CompleteMultipartUploadResult"
        let body = Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8)
        try lending(body) { bytes throws(S3Fault) in
            request.body = S3Body(bytes)
            _ = try send(request)
        }
    }

    /// Gives an upload in parts up, also where there is none.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func abortParts(of upload: String, _ key: String) throws(S3Fault) -> Bool {
        var request = S3Request("DELETE", key)
        request.query = [("uploadId", upload)]
        do throws(S3Fault) {
            _ = try send(request)
            return true
        } catch {
            guard error == .missingUpload || error == .missing else { throw error }
            return false
        }
    }
}
