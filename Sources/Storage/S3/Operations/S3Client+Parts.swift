/// A part of a multipart upload, as the store has confirmed it.
package struct S3Part: Hashable, Sendable {
    /// The part's number, from 1.
    package let number: Int
    /// The part's tag, with its quotes.
    package let tag: String

    /// A part that was sent earlier.
    package init(number: Int, tag: String) {
        self.number = number
        self.tag = tag
    }
}

extension S3Client {
    /// Begins a multipart upload.
    ///
    /// - Returns: the upload's name.
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

    /// Sends a part of 5 MiB to 5 GiB; the last one may have any size. Replaces any part of that number.
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

    /// Makes a part from bytes of another object in the bucket.
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

    /// Makes an object of the parts, and replaces any object at that key.
    ///
    /// - Throws: `missingUpload`, also if an earlier call succeeded and its answer was lost.
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

    /// Aborts a multipart upload; succeeds if there is none.
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

/// A multipart upload that was begun, and neither completed nor aborted.
package struct S3Upload: Hashable, Sendable {
    /// The upload's name, which every part names.
    package let name: String
    /// The key of the object that it becomes.
    package let key: String
    /// When the upload began, in nanoseconds since 1970.
    package let begun: Int64
}

extension S3Client {
    /// Lists the multipart uploads of keys with a prefix.
    package func uploads(prefix: String) throws(S3Fault) -> [S3Upload] {
        var found: [S3Upload] = []
        var place: (key: String, upload: String)?
        repeat {
            var request = S3Request("GET", nil)
            request.query = [("uploads", ""), ("max-uploads", "1000"), ("prefix", prefix)]
            if let place { request.query += [("key-marker", place.key), ("upload-id-marker", place.upload)] }
            request.limit = 16 << 20
            request.root = "ListMultipartUploadsResult"
            let root = try send(request).root
            for node in root.all("Upload") {
                guard let name = node.text("UploadId"), let key = node.text("Key"), key.hasPrefix(prefix),
                    let begun = node.text("Initiated").flatMap(Self.nanoseconds)
                else { throw .refused("an upload in parts of the list without name, key or time") }
                found.append(S3Upload(name: name, key: key, begun: begun))
            }
            guard root.text("IsTruncated") == "true" else { break }
            guard let key = root.text("NextKeyMarker"), let upload = root.text("NextUploadIdMarker"),
                place.map({ $0 != (key, upload) }) ?? true
            else { throw .refused("a list of uploads that does not say where it goes on") }
            place = (key, upload)
        } while true
        return found
    }
}
