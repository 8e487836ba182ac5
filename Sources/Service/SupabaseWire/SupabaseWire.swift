public import Access
internal import Documents
internal import HTTPTypes
public import Hummingbird
public import Library
internal import Logging
internal import Media
internal import NIOCore

/// The face that clients of Supabase speak to: rows at `/rest/v1`, files at `/storage/v1`. It translates to the library and back.
public struct SupabaseWire<Work: BlockingWork>: Sendable {
    let library: DocumentLibrary
    /// Runs what blocks.
    let work: Work
    let identifying: any Identifying
    let keys: WireKeys
    /// Whether anybody may read files by their address.
    let isPublic: Bool
    /// How long an answer may wait for a picture.
    let patience: Duration

    /// A face over a library.
    public init(
        _ library: DocumentLibrary, work: Work, identifying: any Identifying, keys: WireKeys, isPublic: Bool,
        patience: Duration
    ) {
        self.library = library
        self.work = work
        self.identifying = identifying
        self.keys = keys
        self.isPublic = isPublic
        self.patience = patience
    }

    /// Adds all routes.
    public func register<Context: RequestContext>(on router: Router<Context>) {
        for prefix in ["/rest/v1", "/storage/v1"] {
            for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options] {
                for path in [prefix, "\(prefix)/**"] {
                    router.on(RouterPath(path), method: method) { request, context in
                        await answer(request, below: prefix, logger: context.logger)
                    }
                }
            }
        }
    }

    /// Runs the handler of a face. Its errors become answers.
    private func answer(_ request: Request, below prefix: String, logger: Logger) async -> Response {
        var response: Response
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            response = Self.preflight(request)
        } else {
            response = await handled(request, below: prefix, logger: logger)
        }
        if request.headers[.origin] != nil {
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.accessControlExposeHeaders] =
                "Content-Range, Content-Location, Location, Preference-Applied, Tus-Resumable, Upload-Offset, "
                + "Upload-Length, Upload-Expires, Tus-Version, Tus-Max-Size, Tus-Extension, ETag"
        }
        return response
    }

    private static func preflight(_ request: Request) -> Response {
        var response = Response(status: .noContent)
        response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        response.headers[.accessControlAllowHeaders] =
            request.headers[HTTPField.Name("Access-Control-Request-Headers")!] ?? "authorization, apikey, content-type"
        response.headers[.accessControlMaxAge] = "3600"
        return response
    }

    private func handled(_ request: Request, below prefix: String, logger: Logger) async -> Response {
        let isRows = prefix == "/rest/v1"
        guard let wire = WireRequest(request, below: prefix, logger: logger) else {
            return isRows
                ? RowError.badQuery("The address cannot be read", details: "It is not UTF-8.").response
                : FileError.invalidKey(request.uri.path).response
        }
        do {
            return isRows ? try await rows(wire) : try await files(wire)
        } catch let error as KeyError {
            return error.response
        } catch let error as RowError {
            if error.status >= 500 {
                logger.error("rows: \(error.message)", metadata: ["detail": "\(error.details ?? "")"])
            }
            return error.response
        } catch let error as FileError {
            if error.status >= 500 { logger.error("files: \(error.message)") }
            return error.response
        } catch is NIOTooManyBytesError {
            return isRows ? RowError.badBody("The body is over 4 MiB").response : FileError.tooLarge.response
        } catch {
            logger.error("request failed", metadata: ["reason": "\(error)"])
            return isRows
                ? RowError(500, "XX000", "Server error. Please try again.").response
                : FileError(500, "500", "Internal", "Server error. Please try again.", code: "InternalError").response
        }
    }

    /// Who calls: a valid key is needed in any case.
    func caller(_ request: WireRequest) async throws -> Caller {
        guard let key = request.key, !key.isEmpty else { throw KeyError.missing }
        guard keys.role(of: key) != nil else { throw KeyError.invalid }
        var credentials = Credentials(key: key)
        if let bearer = request.bearer, bearer != key, keys.role(of: bearer) == nil { credentials.bearer = bearer }
        return try await identifying.caller(with: credentials)
    }
}

/// Why a key is refused, as Supabase's gateway says it.
enum KeyError: Error {
    case missing, invalid

    var response: Response {
        let (message, hint) =
            switch self {
            case .missing:
                ("No API key found in request", "No `apikey` request header or url param was found.")
            case .invalid:
                ("Invalid API key", "Double check your Supabase `anon` or `service_role` API key.")
            }
        return .wire(.object(["message": .string(message), "hint": .string(hint)]), status: 401)
    }
}

extension RowError {
    var response: Response { .wire(json, status: status) }
}
