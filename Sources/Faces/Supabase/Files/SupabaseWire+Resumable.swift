internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import NIOCore
internal import People

/// Resumable uploads by tus 1.0: `upload/resumable`, and with an upload token `upload/resumable/sign`.
extension SupabaseWire {
    var resumableRoutes: [WireRoute] {
        resumableRoutes(at: "/storage/v1/upload/resumable/sign", for: .token)
            + resumableRoutes(at: "/storage/v1/upload/resumable", for: .key)
    }

    private func resumableRoutes(at place: String, for audience: Audience) -> [WireRoute] {
        let tus: WireRoute.Handler = { request, caller in
            try await resumable(request, at: place, audience == .key ? desk(caller) : nil)
        }
        let options: WireRoute.Handler = { _, _ in Response(TusAnswer.options(tusLimits)) }
        return [
            WireRoute("OPTIONS", place, .anyone, options), WireRoute("OPTIONS", "\(place)/{id}", .anyone, options),
            WireRoute("POST", place, audience, takesFile: true, tus), WireRoute("HEAD", "\(place)/{id}", audience, tus),
            WireRoute("PATCH", "\(place)/{id}", audience, takesFile: true, tus),
            WireRoute("DELETE", "\(place)/{id}", audience, tus),
        ]
    }

    private var tusLimits: TusLimits {
        TusLimits(
            byteCount: library.options.maxUploadByteCount,
            lifetime: DocumentLibrary.uploadLifetime.components.seconds)
    }

    /// - Parameter desk: the caller's; `nil` if a token names the person.
    private func resumable(_ request: WireRequest, at place: String, _ desk: FileDesk?) async throws -> Response {
        let (token, wire) = (request.single("x-signature") ?? "", self)
        let signed = BucketUploads<Work>.Permission.token(
            read: { () throws(WireToken.Fault) in
                try wire.keys.claims(of: token, atMost: wire.longestSignature)
            }, desk: { wire.desk(toUploadWith: $0) })
        let uploads = BucketUploads(
            work: files, library: library, authenticator: authenticator, limits: tusLimits,
            place: "\(request.origin)\(place)",
            permission: desk.map { .desk($0) } ?? signed,
            isUpsert: request.single("x-upsert")?.lowercased() == "true")
        let rest = request.path.dropFirst(desk == nil ? 3 : 2)
        // A failed login is answered in JSON, everything else in the protocol's own form.
        do {
            return try await request.exchange(uploads, id: rest.first)
        } catch let error as TusError {
            return Response(TusAnswer.failed(error))
        } catch let error as FileError {
            return Self.plain(error)
        } catch {
            guard let error = ServingError(error) else { throw error }
            return Self.plain(FileError(error))
        }
    }

    /// Errors of files have their own status here, and a text.
    private static func plain(_ error: FileError) -> Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: Response.unkept]
        headers[HTTPField.Name("Tus-Resumable")!] = TusAnswer.version
        if let retryAfter = error.retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        return Response(
            status: .init(code: error.ownStatus), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: error.message)))
    }
}
