// swift-tools-version: 6.2
import PackageDescription

/// Whether `make fuzz` builds, in a scratch folder of its own: with coverage for libFuzzer, and with its program. A package
/// beside this one could not see what is `package` here.
let isFuzzing = Context.environment["COMPASS_FUZZ"] != nil

/// The only test targets that `make sanitize` builds: all tests under two sanitizers would take an hour.
let chosenTests = Context.environment["COMPASS_TESTS"]?.split(separator: " ").map(String.init)

/// Whether warnings are errors, as in continuous integration. A user's newer library may deprecate what this project calls, which must
/// not fail the build.
let isStrict = Context.environment["COMPASS_STRICT"] == "1"

/// Every Swift target: the newest language mode's checks.
let strict: [SwiftSetting] =
    [.swiftLanguageMode(.v6)] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
    + [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : [])

/// Programs carry Swift's standard library inside: they start in 2 ms instead of 8.
/// The flags sit on the executables, so that one build serves programs and tests.
let staticProgram: [LinkerSetting] = [.unsafeFlags(["-static-stdlib", "-lswiftSynchronization"])]

/// What FoundationEssentials (under ArgumentParser) leaves to the linker.
let foundationEssentials = ["-lswiftSynchronization", "-l_FoundationCShims", "-l_FoundationCollections", "-lstdc++"]

/// As `staticProgram`, with all other libraries too: nothing is loaded, and the program starts in less than 1 ms.
let wholeCommand: [LinkerSetting] = [.unsafeFlags(["-static-executable", "-use-ld=lld"] + foundationEssentials)]

/// As `staticProgram`, for programs that parse their arguments.
let staticCommand: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"] + foundationEssentials)]

/// As `staticCommand`, with the whole of Foundation, which GRDB takes from.
let staticService: [LinkerSetting] = [
    .unsafeFlags([
        "-static-stdlib", "-lswiftSynchronization", "-lFoundation", "-lFoundationInternationalization",
        "-lFoundationEssentials", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
        "-l_FoundationCollections", "-ldispatch", "-lBlocksRuntime", "-lstdc++",
    ])
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// - Parameter folder: below `Sources`: the floor, and what divides it.
func library(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: strict)
}

/// The headers of a C library, with the wrappers that Swift needs.
func system(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Sources/Base/\(name)", pkgConfig: pkgConfig)
}

func renderer(_ name: String, in folder: String, over library: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: library), "Formats", "Media", "Rendering"],
        path: "Sources/Renderers/\(folder)/\(name)", swiftSettings: strict, linkerSettings: staticProgram)
}

func probingRenderer(_ name: String, over library: String, in folder: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: library), "Media", "Probing"],
        path: "Tests/Support/ProbingPrograms/\(folder)", swiftSettings: strict, linkerSettings: staticProgram)
}

/// For tests that wait more than they compute: to optimize them would take longer than they run.
let unoptimized = strict + [.unsafeFlags(["-Onone"])]

/// - Parameters:
///   - module: what is tested, unless the tests have its name.
///   - computes: whether the tests compute much themselves.
func tests(
    _ name: String, in folder: String, of module: String? = nil, computes: Bool = false, exclude: [String] = [],
    _ dependencies: [Target.Dependency] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.byName(name: module ?? name), "TestDeadline", "TestSupport"] + dependencies,
        path: "Tests/\(folder)/\(name)Tests", exclude: exclude, swiftSettings: computes ? strict : unoptimized)
}

/// The default linker cannot read libFuzzer's debugging information.
let fuzzing: [Target] =
    isFuzzing
    ? [
        .systemLibrary(name: "CFuzzer", path: "Tests/Checks/Fuzz/CFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["CFuzzer", "CLinux", "FuzzTargets", "Linux"],
            path: "Tests/Checks/Fuzz/Program",
            swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ] : []

let package = Package(
    name: "compass-media",
    products: [
        .executable(name: "compass", targets: ["compass"]),
        .executable(name: "thumbd", targets: ["thumbd"]),
        .executable(name: "documentd", targets: ["documentd"]),
        .executable(name: "compass-queue", targets: ["compass-queue"]),
        .executable(name: "compass-stand-ins", targets: ["compass-stand-ins"]),
        .executable(name: "compass-sniff", targets: ["compass-sniff"]),
        .executable(name: "compass-render-image", targets: ["compass-render-image"]),
        .executable(name: "compass-render-plain", targets: ["compass-render-plain"]),
        .executable(name: "compass-render-pdf", targets: ["compass-render-pdf"]),
        .executable(name: "compass-render-video", targets: ["compass-render-video"]),
        .executable(name: "compass-read-text", targets: ["compass-read-text"]),
        .executable(name: "compass-recognize", targets: ["compass-recognize"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        // System libraries: a module map and a header each.
        system("CCurl", pkgConfig: "libcurl"),
        system("CPQ", pkgConfig: "libpq"),
        system("CExpat", pkgConfig: "expat"),
        system("CFFmpeg", pkgConfig: "libavformat libavcodec libswscale libavutil"),
        system("CISAL", pkgConfig: "libisal"),
        system("CLCMS", pkgConfig: "lcms2"),
        system("CMagic", pkgConfig: "libmagic"),
        system("CNettle", pkgConfig: "nettle"),
        system("COpenJPEG", pkgConfig: "libopenjp2"),
        system("CPoppler", pkgConfig: "poppler-glib"),
        system("CSeccomp", pkgConfig: "libseccomp"),
        system("CSodium", pkgConfig: "libsodium"),
        system("CSpng", pkgConfig: "spng"),
        system("CTesseract", pkgConfig: "tesseract"),
        system("CTurboJPEG", pkgConfig: "libturbojpeg"),
        system("CVips", pkgConfig: "vips"),
        system("CZlib", pkgConfig: "zlib"),
        // Not a system library alone: what it is linked with depends on its version.
        .target(name: "CWebP", path: "Sources/Base/CWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CLinux", path: "Sources/Base/CLinux"),
        // Poppler's own headers: its interface for C++ is a library of its own, whose loading is felt in every cold start.
        .target(
            name: "CPopplerCore", path: "Sources/Base/CPopplerCore",
            cxxSettings: [.unsafeFlags(["-I/usr/include/poppler"])],
            linkerSettings: [.linkedLibrary("poppler")]),
        .target(
            name: "CSourceStream", dependencies: ["CPoppler"], path: "Sources/Base/CSourceStream",
            linkerSettings: [.linkedLibrary("gio-2.0")]),

        // Base: values, the kernel's calls as values, digests and codes.
        library("Media", in: "Base", []),
        library("Linux", in: "Base", ["CLinux"]),
        library("Hashing", in: "Base", ["CNettle", "Linux", "Media"]),

        // Formats: what a file is, by its bytes.
        library("Formats", in: "Formats", ["CZlib", "Linux", "Media"]),

        // Renderers: each a program over one decoding library.
        library("Wire", in: "Renderers", ["Media"]),
        library("Rendering", in: "Renderers", ["CLinux", "CSeccomp", "Formats", "Linux", "Media", "Wire"]),
        library("Sniffer", in: "Renderers/Sniff", ["CMagic", "Formats", "Media", "Rendering", "Wire"]),
        library("ImageRenderer", in: "Renderers/Image", ["CVips", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        library(
            "PlainRenderer", in: "Renderers/Plain",
            ["CISAL", "CLCMS", "CTurboJPEG", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        library(
            "PageRenderer", in: "Renderers/PDF",
            [
                "COpenJPEG", "CPoppler", "CPopplerCore", "CSourceStream", "Formats", "Linux", "Media", "PlainRenderer",
                "Rendering", "Wire",
            ]),
        library("VideoRenderer", in: "Renderers/Video", ["CFFmpeg", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        library("TextReader", in: "Renderers/Text", ["CExpat", "CLinux", "Formats", "Media", "Rendering", "Wire"]),
        library(
            "PageRecognizer", in: "Renderers/Recognition", ["CTesseract", "Formats", "Media", "Rendering", "Wire"]),
        renderer("compass-sniff", in: "Sniff", over: "Sniffer"),
        renderer("compass-render-image", in: "Image", over: "ImageRenderer"),
        renderer("compass-render-plain", in: "Plain", over: "PlainRenderer"),
        renderer("compass-render-pdf", in: "PDF", over: "PageRenderer"),
        renderer("compass-render-video", in: "Video", over: "VideoRenderer"),
        renderer("compass-read-text", in: "Text", over: "TextReader"),
        renderer("compass-recognize", in: "Recognition", over: "PageRecognizer"),

        // Host: from a source to its renditions. No media library from here on.
        library("RenderHost", in: "Host", ["CLinux", "Linux", "Media", "Wire"]),
        library(
            "SourceFiles", in: "Host", ["CLinux", "Hashing", "Linux", "Media", "RenderHost", "ThumbnailCache", "Wire"]),
        library("ThumbnailCache", in: "Host", ["CLinux", "Hashing", "Linux", "Media"]),
        library(
            "Thumbnailer", in: "Host",
            [
                "CLinux", "CTurboJPEG", "CWebP", "CZlib", "Linux", "Media", "RenderHost", "SourceFiles",
                "ThumbnailCache", "Wire",
            ]),
        library("StandIns", in: "Host", ["CLinux", "Linux", "Media"]),

        // Storage: the database, the queue and its worker, objects in a folder or a bucket.
        library(
            "Database", in: "Storage",
            [
                "CLinux", "CPQ", "Linux", "Media", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        library(
            "JobQueue", in: "Storage", ["Database", "Linux", "Media", .product(name: "GRDB", package: "GRDB.swift")]),
        library(
            "Worker", in: "Storage",
            [
                "CLinux", "Hashing", "JobQueue", "Linux", "Media", "RenderHost", "SourceFiles", "ThumbnailCache",
                "Thumbnailer",
            ]),
        library(
            "Objects", in: "Storage",
            ["CLinux", "Database", "Hashing", "Linux", "Media", "RenderHost", "S3", "SourceFiles", "ThumbnailCache"]),
        library("S3", in: "Storage", ["CCurl", "CLinux", "CNettle", "HTTPSyntax", "Hashing", "Linux", "Media"]),
        library("Fetching", in: "Storage", ["CCurl", "CLinux", "HTTPSyntax", "Linux", "Media", "S3"]),

        // HTTP: its values, and what every service needs.
        library("HTTPSyntax", in: "HTTP", ["Media"]),
        library(
            "HTTPServing", in: "HTTP",
            [
                "CLinux", "HTTPSyntax", "Linux", "Media", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // People: who they are, what they may do, and how they sign in.
        library(
            "People", in: "People",
            [
                "CLinux", "CSodium", "Database", "Hashing", "Linux", "Media",
                .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        library(
            "SignIn", in: "People",
            [
                "CCurl", "HTTPServing", "HTTPSyntax", "Hashing", "Linux", "Media", "People",
                .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        library("Mail", in: "People", ["CCurl", "HTTPSyntax", "Media"]),

        // Documents: their rules and rows, and the work with them.
        library("Documents", in: "Documents", ["Database", "JobQueue", "Linux", "Media"]),
        library(
            "Library", in: "Documents",
            [
                "CLinux", "Database", "Documents", "Hashing", "JobQueue", "Linux", "Media", "Objects", "People",
                "SourceFiles", "ThumbnailCache", "Thumbnailer",
            ]),
        library(
            "PersonalData", in: "Documents", ["CZlib", "Documents", "Library", "Linux", "Media", "Objects", "People"]),

        // Matching: from a résumé to the postings that fit.
        .target(
            name: "Matching", dependencies: ["Media"], path: "Sources/Matching/Matching",
            resources: [
                .embedInCode("Vocabulary/Data/occupations.txt"), .embedInCode("Vocabulary/Data/skills.txt"),
                .embedInCode("Ranking/Data/places.txt"),
            ], swiftSettings: strict),
        .target(
            name: "MatchStore",
            dependencies: [
                "Database", "Hashing", "JobQueue", "Linux", "Matching", "Media", "Objects", "RenderHost", "SourceFiles",
                "Thumbnailer",
            ], path: "Sources/Matching/MatchStore", resources: [.embedInCode("Work/Sample/sample-resume.pdf")],
            swiftSettings: strict),

        // Faces: what clients speak to.
        .target(
            name: "DocumentAPI",
            dependencies: [
                "Documents", "HTTPServing", "HTTPSyntax", "Hashing", "Library", "Linux", "MatchStore", "Matching",
                "Media", "Objects", "People", "PersonalData", "SignIn", "ThumbnailCache", "Thumbnailer",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/Faces/DocumentAPI", resources: [.embedInCode("openapi.json")], swiftSettings: strict),
        library(
            "Supabase", in: "Faces",
            [
                "Database", "Documents", "HTTPServing", "HTTPSyntax", "Hashing", "Library", "Linux", "Media", "Objects",
                "People", "SignIn", "ThumbnailCache", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "Web",
            dependencies: ["CZlib", "Hashing", "Media", .product(name: "Hummingbird", package: "hummingbird")],
            path: "Sources/Faces/Web",
            resources: [
                "account.css", "account.js", "address.js", "analysis.js", "api.js", "app.js", "base.css",
                "card.js", "collection.js", "dashboard.js", "detail.css", "detail.js", "dom.js", "early.js",
                "film.js", "filters.js", "guardians.js", "icon.svg", "icons.js", "index.html", "jobs.css",
                "jobs.html", "jobs.js", "jobs.svg", "jobsettings.js", "leaving.js", "links.js", "list.css", "list.js",
                "matches.js", "messages.js", "pages.js", "picture.js", "placeholder.js", "profile.js",
                "providers.js", "pulling.js", "query.js", "reasons.js", "recovery.js", "removing.js", "resume.js",
                "searches.js", "session.js", "shared.js", "signin.js", "templates.css", "templates.js", "text.js",
                "upload.js", "uploads.js", "viewer.css", "viewer.js", "welcome.js", "zoom.js",
            ].map { .embedInCode("Files/\($0)") },
            swiftSettings: strict),

        // Programs.
        library("Console", in: "Programs", ["CLinux", "Linux", "Media", "Wire", argumentParser]),
        library(
            "Daemon", in: "Programs",
            [
                "CLinux", "Console", "Database", "JobQueue", "Linux", "MatchStore", "Media", "Objects", "RenderHost",
                "S3", "SourceFiles", "ThumbnailCache", "Thumbnailer", "Wire", "Worker", argumentParser,
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "compass",
            dependencies: [
                "CLinux", "Console", "Linux", "Media", "RenderHost", "SourceFiles", "ThumbnailCache", "Thumbnailer",
                "Wire", argumentParser,
            ], path: "Sources/Programs/compass", swiftSettings: strict, linkerSettings: wholeCommand),
        .executableTarget(
            name: "compass-queue",
            dependencies: [
                "CLinux", "Console", "Database", "JobQueue", "Linux", "Media", "RenderHost", "SourceFiles",
                "ThumbnailCache", "Thumbnailer", "Wire", argumentParser,
            ], path: "Sources/Programs/compass-queue", swiftSettings: strict, linkerSettings: staticService),
        .executableTarget(
            name: "compass-fetch", dependencies: ["CLinux", "Console", "Fetching", "Linux", "Media", "Wire"],
            path: "Sources/Programs/compass-fetch", swiftSettings: strict, linkerSettings: staticService),
        .executableTarget(
            name: "compass-stand-ins", dependencies: ["CLinux", "Linux", "Media", "StandIns"],
            path: "Sources/Programs/compass-stand-ins", swiftSettings: strict, linkerSettings: staticProgram),
        .executableTarget(
            name: "thumbd",
            dependencies: [
                "CLinux", "Console", "Daemon", "HTTPServing", "JobQueue", "Linux", "Media", "Objects", "RenderHost",
                "ThumbnailCache", "Thumbnailer", "Worker", argumentParser,
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/Programs/thumbd", swiftSettings: strict, linkerSettings: staticService),
        .executableTarget(
            name: "documentd",
            dependencies: [
                "CLinux", "Console", "Daemon", "Database", "DocumentAPI", "Documents", "HTTPServing", "HTTPSyntax",
                "JobQueue", "Library", "Linux", "Mail", "MatchStore", "Matching", "Media", "Objects", "People",
                "PersonalData", "RenderHost", "SignIn", "Supabase", "ThumbnailCache", "Web", "Worker", argumentParser,
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ], path: "Sources/Programs/documentd", swiftSettings: strict, linkerSettings: staticService),

        // An SMTP server for tests.
        .target(
            name: "PostgreSQLSupport", dependencies: ["Database", "TestSupport"],
            path: "Tests/Support/PostgreSQLSupport", swiftSettings: strict),
        .target(
            name: "MailSupport", dependencies: ["TestSupport"], path: "Tests/Support/MailSupport",
            swiftSettings: strict),

        // A store that speaks S3, and a proxy that spoils its answers, for tests.
        .target(
            name: "StoreSupport", dependencies: ["S3", "TestSupport"], path: "Tests/Support/StoreSupport",
            exclude: ["requirements.txt"], swiftSettings: strict),

        // Ways out of a child, and the real renderers with these built in: for the tests of the confinement.
        .target(
            name: "Probing", dependencies: ["CLinux", "CSeccomp", "Formats", "Linux", "Media", "Rendering", "Wire"],
            path: "Tests/Support/Probing", swiftSettings: strict),
        probingRenderer("probing-sniff", over: "Sniffer", in: "Sniff"),
        probingRenderer("probing-render-image", over: "ImageRenderer", in: "Image"),
        probingRenderer("probing-render-plain", over: "PlainRenderer", in: "Plain"),
        probingRenderer("probing-render-pdf", over: "PageRenderer", in: "PDF"),
        probingRenderer("probing-render-video", over: "VideoRenderer", in: "Video"),
        probingRenderer("probing-read-text", over: "TextReader", in: "Text"),
        probingRenderer("probing-recognize", over: "PageRecognizer", in: "Recognition"),

        // Names the system calls outside the lists over whole folders.
        .executableTarget(
            name: "call-check", dependencies: ["CLinux", "Linux", "Media", "RenderHost", "TestSupport"],
            path: "Tests/Checks/CallCheck",
            swiftSettings: strict, linkerSettings: staticProgram),

        // A renderer that misbehaves on command, for the tests of the host.
        .executableTarget(
            name: "fake-renderer",
            dependencies: ["CLinux", "Formats", "Linux", "Media", "Probing", "Rendering", "Wire"],
            path: "Tests/Support/FakeRenderer", swiftSettings: strict, linkerSettings: staticProgram),

        // Warm renderers behind a socket, for the tests and benchmarks of `compass thumb`.
        .executableTarget(
            name: "warm-host",
            dependencies: ["CLinux", "Console", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"],
            path: "Tests/Support/WarmHost", swiftSettings: strict, linkerSettings: staticCommand),

        // Runs the built `compass` over a corpus.
        .executableTarget(
            name: "corpus-check", dependencies: ["CLinux", "Media", "TestSupport"], path: "Tests/Checks/CorpusCheck",
            exclude: ["differences.tsv"], swiftSettings: strict, linkerSettings: staticProgram),

        // Reads profiles and ranks postings, for the measurement of their quality.
        .executableTarget(
            name: "jobs-quality",
            dependencies: ["Matching", "Media"],
            path: "Tests/Checks/JobsQuality",
            exclude: ["converters.py", "generator.py", "packages.txt", "run.py", "scoring.py"], swiftSettings: strict),

        // Carries out operations on the store of documents, for the independent evaluator of its lists.
        .executableTarget(
            name: "document-lists", dependencies: ["Database", "Documents", "Media"],
            path: "Tests/Checks/DocumentLists", exclude: ["evaluate.py"], swiftSettings: strict),

        // Feeds mutated files to the real renderers.
        .executableTarget(
            name: "torture", dependencies: ["CLinux", "Linux", "Media", "RenderHost", "TestSupport", "Wire"],
            path: "Tests/Checks/Torture",
            swiftSettings: strict, linkerSettings: staticProgram),

        // A database and system calls that fail where a test's plan says so.
        .target(
            name: "FaultInjection", dependencies: ["CLinux", "Database", "Linux", "Objects"],
            path: "Tests/Support/FaultInjection", swiftSettings: strict),

        // Queues for tests: one of its own, and what a queue in front of another one passes through.
        .target(
            name: "QueueWrapping", dependencies: ["JobQueue", "Media", "TestSupport"],
            path: "Tests/Support/QueueWrapping",
            swiftSettings: strict),

        // Kills, stops and misleads real workers, and audits what is left.
        .executableTarget(
            name: "chaos",
            dependencies: [
                "CLinux", "Hashing", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost", "SourceFiles",
                "TestSupport", "ThumbnailCache", "Thumbnailer", "Worker",
            ], path: "Tests/Checks/Chaos", swiftSettings: strict),

        // Times warm jobs beside the same work without a renderer.
        .executableTarget(
            name: "warm-cost",
            dependencies: [
                "CLinux", "Formats", "ImageRenderer", "Linux", "Media", "PageRenderer", "PlainRenderer", "RenderHost",
                "Rendering", "VideoRenderer", "Wire",
            ], path: "Benchmarks/WarmCost", swiftSettings: strict, linkerSettings: staticProgram),

        // The least that FFmpeg and Poppler must do, to hold our times against.
        .executableTarget(
            name: "floor-frame", dependencies: ["CFFmpeg"], path: "Benchmarks/FloorFrame", swiftSettings: strict,
            linkerSettings: staticProgram),
        .executableTarget(
            name: "floor-page", dependencies: ["CPoppler"], path: "Benchmarks/FloorPage", swiftSettings: strict,
            linkerSettings: staticProgram),
        // Fills and times a queue, beside a running thumbd.
        .executableTarget(
            name: "queue-load", dependencies: ["CLinux", "JobQueue", "Linux", "Media"], path: "Benchmarks/QueueLoad",
            swiftSettings: strict),
        // Times the queue on a PostgreSQL server.
        .executableTarget(
            name: "queue-race", dependencies: ["CLinux", "Database", "JobQueue", "Linux", "Media"],
            path: "Benchmarks/QueueRace", swiftSettings: strict, linkerSettings: staticService),
        // Times the receiving of an object beside what the disk and the digest take for it.
        .executableTarget(
            name: "object-speed", dependencies: ["CLinux", "Hashing", "Linux", "Media", "Objects"],
            path: "Benchmarks/ObjectSpeed", swiftSettings: strict, linkerSettings: staticService),
        // Times the acceptance of jobs beside what the disk takes for it.
        .executableTarget(
            name: "enqueue-speed", dependencies: ["CLinux", "JobQueue", "Linux", "Media"],
            path: "Benchmarks/EnqueueSpeed", swiftSettings: strict, linkerSettings: staticService),

        // Times the lists and searches of one person's documents, as many as there may be.
        .executableTarget(
            name: "document-speed",
            dependencies: ["Database", "Documents", "Linux", "Media", "TestSupport"],
            path: "Benchmarks/DocumentSpeed", swiftSettings: strict),

        // What several tests need: the checkout, its programs, scratch folders, random numbers from a seed, a client of HTTP.
        .target(
            name: "TestSupport", dependencies: ["Linux", "Media"], path: "Tests/Support/TestSupport",
            swiftSettings: strict),

        // Ends a test program whose tests hang. Apart from what programs link too: it needs Swift Testing.
        .target(
            name: "TestDeadline", dependencies: ["Linux"], path: "Tests/Support/TestDeadline", swiftSettings: strict),

        // Shows the locks and references of Swift's runtime to ThreadSanitizer, for the tests that run under it.
        .target(name: "CSeenRuntime", path: "Tests/Support/CSeenRuntime"),

        // Tables in place of the views of the app's wire, for the tests.
        .target(
            name: "RowTables", dependencies: ["Database", "Media", "Supabase"],
            path: "Tests/Support/RowTables",
            swiftSettings: strict),

        // Tokens as an issuer makes them, and such as none makes, for the tests.
        .target(
            name: "TokenMaking", dependencies: ["Media", .product(name: "JWTKit", package: "jwt-kit")],
            path: "Tests/Support/TokenMaking", swiftSettings: strict),

        // ZIP archives and compound files written out by hand, for the tests.
        .target(
            name: "ArchiveBuilding", dependencies: ["CZlib"], path: "Tests/Support/ArchiveBuilding",
            swiftSettings: strict),

        // Small PDF files written out by hand, for the tests.
        .target(name: "PDFBuilding", path: "Tests/Support/PDFBuilding", swiftSettings: strict),

        // What libFuzzer runs; the tests replay what it found.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "ArchiveBuilding", "CTurboJPEG", "Console", "Database", "Formats", "HTTPSyntax", "Linux", "Matching",
                "Media", "PDFBuilding", "PageRenderer", "People", "PlainRenderer", "Rendering", "RowTables", "SignIn",
                "Supabase", "TestSupport", "TextReader", "ThumbnailCache", "Thumbnailer", "VideoRenderer", "Wire",
            ],
            path: "Tests/Checks/Fuzz/Targets", swiftSettings: strict),

        tests("Access", in: "People", of: "People", ["Media"]),
        tests("Audit", in: "People", of: "People", ["Linux", "Media"]),
        tests(
            "Accounts", in: "People", of: "People", ["Database", "Documents", "Linux", "Media", "PostgreSQLSupport"]),
        tests("KeyDatabase", in: "People", of: "People", ["Database", "Linux", "Media", "PostgreSQLSupport"]),
        tests("Console", in: "Programs", ["CLinux", "Linux", "Media", argumentParser]),
        tests("Hashing", in: "Base", computes: true, ["CLinux", "Linux", "Media"]),
        tests(
            "DocumentAPI", in: "Faces",
            [
                "Database", "Documents", "HTTPServing", "Library", "MatchStore", "Media", "Objects", "People",
                "QueueWrapping", "RenderHost", "ThumbnailCache", "Thumbnailer",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        tests("Documents", in: "Documents", ["Media"]),
        tests(
            "DocumentDatabase", in: "Documents", of: "Documents",
            ["Database", "JobQueue", "Linux", "Media", "PostgreSQLSupport"]),
        tests("Encoding", in: "Host", of: "Thumbnailer", ["CSpng", "CTurboJPEG", "CWebP", "Media"]),
        .testTarget(
            name: "FuzzTests", dependencies: ["CLinux", "FuzzTargets", "Linux", "TestDeadline", "TestSupport"],
            path: "Tests/Checks/FuzzTests", swiftSettings: strict),
        tests(
            "HTTPServing", in: "HTTP",
            [
                "CSeenRuntime", "HTTPSyntax", "Linux", "Media", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        tests("HTTPSyntax", in: "HTTP", ["Media"]),
        tests("ImageRenderer", in: "Renderers", ["CVips", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "ArchiveBuilding", "CSpng", "Console", "Database", "DocumentAPI", "Documents", "HTTPServing",
                "HTTPSyntax", "Hashing", "JobQueue", "Library", "Linux", "MailSupport", "MatchStore", "Matching",
                "Media", "Objects", "PDFBuilding", "People", "PersonalData", "PostgreSQLSupport", "QueueWrapping",
                "RenderHost", "S3", "SignIn", "SourceFiles", "StoreSupport", "Supabase", "TestDeadline", "TestSupport",
                "ThumbnailCache", "Thumbnailer", "TokenMaking", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Programs/IntegrationTests",
            exclude: ["Service/Access/costs.txt", "Service/Access/matrix.txt", "Service/HostileClients/routes.txt"],
            swiftSettings: unoptimized),
        tests("JobQueue", in: "Storage", ["CSeenRuntime", "Database", "Linux", "Media", "PostgreSQLSupport"]),
        tests(
            "JobSearch", in: "Matching", of: "MatchStore",
            [
                "CLinux", "Database", "Documents", "JobQueue", "Linux", "Matching", "Media", "PostgreSQLSupport",
                "RenderHost", "SourceFiles", "Thumbnailer",
            ]),
        tests("PageRecognizer", in: "Renderers", ["Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests("Postings", in: "Matching", of: "Matching", ["Media"]),
        tests(
            "PostingDatabase", in: "Matching", of: "MatchStore", ["Database", "Matching", "Media", "PostgreSQLSupport"]),
        tests(
            "SearchDatabase", in: "Matching", of: "MatchStore",
            ["Database", "JobQueue", "Matching", "Media", "PostgreSQLSupport"]),
        tests("PostgreSQL", in: "Storage", of: "Database", ["Linux", "PostgreSQLSupport"]),
        tests(
            "Library", in: "Documents",
            [
                "CLinux", "CSeenRuntime", "Database", "Documents", "FaultInjection", "HTTPServing", "HTTPSyntax",
                "JobQueue", "Linux", "Media", "Objects", "QueueWrapping", "RenderHost", "SourceFiles", "ThumbnailCache",
                "Thumbnailer", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        tests("Linux", in: "Base", ["CLinux"]),
        tests("Mail", in: "People", ["MailSupport"]),
        tests("Matching", in: "Matching", ["Media"]),
        tests("Media", in: "Base"),
        tests(
            "OpenIDConnect", in: "People", of: "SignIn",
            [
                "Database", "HTTPServing", "HTTPSyntax", "Linux", "Media", "People", "TokenMaking",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        tests(
            "Objects", in: "Storage",
            [
                "CLinux", "Database", "FaultInjection", "Hashing", "Linux", "Media", "RenderHost", "S3", "SourceFiles",
                "StoreSupport",
            ]),
        .testTarget(
            name: "S3Tests",
            dependencies: ["Hashing", "Linux", "Media", "S3", "StoreSupport", "TestDeadline", "TestSupport"],
            path: "Tests/Storage/S3Tests", exclude: ["signatures.py"], swiftSettings: strict),
        tests("PDFSyntax", in: "Formats", of: "Formats", ["Linux", "Media", "PDFBuilding"]),
        tests(
            "PageRenderer", in: "Renderers",
            ["COpenJPEG", "Formats", "Linux", "Media", "PDFBuilding", "Rendering", "Wire"]),
        tests(
            "PersonalData", in: "Documents",
            ["Database", "Documents", "FaultInjection", "Linux", "Media", "Objects", "People"]),
        tests(
            "PlainRenderer", in: "Renderers", computes: true,
            ["CLCMS", "CSpng", "CTurboJPEG", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests("RenderHost", in: "Host", ["CLinux", "CSeenRuntime", "Linux", "Media", "Wire"]),
        tests("Rendering", in: "Renderers", ["Media"]),
        tests("Resampling", in: "Renderers", of: "Rendering", computes: true, ["Media"]),
        tests("Resumes", in: "Matching", of: "Matching", ["CLinux", "Media"]),
        tests("Settings", in: "Programs", of: "Console", ["Media"]),
        tests("Sniffer", in: "Renderers", ["ArchiveBuilding", "Formats", "Linux", "Media", "Rendering"]),
        tests("StandIns", in: "Host", ["CLinux", "Linux", "Media", "RenderHost"]),
        tests("ThumbnailCache", in: "Host", computes: true, ["CLinux", "Hashing", "Linux", "Media"]),
        tests("Tokens", in: "People", of: "SignIn", ["Media", "People", "TokenMaking"]),
        tests(
            "SupabaseWire", in: "Faces", of: "Supabase", exclude: ["Statements/postgresql.json"],
            ["Database", "Documents", "HTTPServing", "HTTPSyntax", "Media", "People", "PostgreSQLSupport", "RowTables"]),
        tests("TextReader", in: "Renderers", ["ArchiveBuilding", "Formats", "Linux", "Media"]),
        tests(
            "Thumbnailer", in: "Host",
            ["CLinux", "Hashing", "Linux", "Media", "RenderHost", "SourceFiles", "ThumbnailCache"]),
        tests("VideoRenderer", in: "Renderers", ["Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests(
            "WarmSocket", in: "Host", of: "Thumbnailer",
            ["CLinux", "CSeenRuntime", "Hashing", "Linux", "Media", "RenderHost", "SourceFiles", "ThumbnailCache"]),
        tests("Vocabulary", in: "Matching", of: "Matching", ["Media"]),
        tests("Wire", in: "Renderers", ["Media"]),
        tests(
            "Worker", in: "Storage",
            [
                "CLinux", "CSeenRuntime", "Hashing", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost",
                "SourceFiles", "ThumbnailCache", "Thumbnailer",
            ]),
    ].filter { target in target.type != .test || chosenTests?.contains(target.name) != false } + fuzzing,
    // Poppler's headers need C++20 from version 24 on.
    cxxLanguageStandard: .cxx20
)
