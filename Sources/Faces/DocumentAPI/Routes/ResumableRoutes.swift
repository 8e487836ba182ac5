internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import People

/// Resumable uploads by tus 1.0: the metadata has `type` and `file_name`. Optional are `title`, `description`,
/// `school_id` and `document_id`, whose document gets a new version.
extension DocumentAPI {
    var resumableRoutes: [Route] {
        [
            Route("OPTIONS", "/api/uploads", .anyone) { _, _ in Response(TusAnswer.options(library.tusLimits)) },
            Route("POST", "/api/uploads", takesFile: true, resumable),
            Route("HEAD", "/api/uploads/{id}", .person, resumable),
            Route("PATCH", "/api/uploads/{id}", takesFile: true, resumable),
            Route("DELETE", "/api/uploads/{id}", .person, resumable),
        ]
    }

    /// Answers the protocol's own errors as it requires; errors of documents stay JSON.
    private func resumable(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let uploads = DocumentUploads(
            library: library, files: files, authenticator: authenticator, caller: context.person,
            place: "\(context.address(of: request))/api/uploads")
        do {
            return try await ResumableExchange(uploads, request).answer(id: context.parameters.get("id"), context)
        } catch let error as TusError {
            return Response(TusAnswer.failed(error))
        } catch {
            var response = ErrorAnswer(error, context).response
            response.headers[.tusResumable] = TusAnswer.version
            return response
        }
    }
}

extension DocumentLibrary {
    /// The limits of resumable uploads.
    var tusLimits: TusLimits {
        TusLimits(byteCount: options.maxUploadByteCount, lifetime: Self.uploadLifetime.components.seconds)
    }
}

extension HTTPField.Name {
    static var tusResumable: HTTPField.Name { HTTPField.Name("Tus-Resumable")! }
}
