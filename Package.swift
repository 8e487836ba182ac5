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
    .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig)
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

/// - Parameter computes: whether the tests compute much themselves.
func tests(
    of name: String, in folder: String, computes: Bool = false, exclude: [String] = [],
    _ dependencies: [Target.Dependency] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestDeadline", "TestSupport"] + dependencies,
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
        .target(name: "CWebP", path: "Sources/System/CWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        // Poppler's own headers: its interface for C++ is a library of its own, whose loading is felt in every cold start.
        .target(
            name: "CPopplerCore", path: "Sources/System/CPopplerCore",
            cxxSettings: [.unsafeFlags(["-I/usr/include/poppler"])],
            linkerSettings: [.linkedLibrary("poppler")]),
        .target(
            name: "CSourceStream", dependencies: ["CPoppler"], path: "Sources/System/CSourceStream",
            linkerSettings: [.linkedLibrary("gio-2.0")]),

        // Values, and the kernel's calls as values.
        library("Media", in: "Values", []),
        library("Linux", in: "System", ["CLinux"]),

        // The renderers' side.
        library("Wire", in: "Renderers", ["Media"]),
        library("Rendering", in: "Renderers", ["CLinux", "CSeccomp", "Formats", "Linux", "Media", "Wire"]),
        library("Formats", in: "Formats", ["CZlib", "Linux", "Media"]),
        library("PDFSyntax", in: "Formats", ["CZlib", "Formats", "Media"]),
        library("Sniffer", in: "Renderers/Sniff", ["CMagic", "Formats", "Media", "Rendering", "Wire"]),
        library("Resampling", in: "Renderers", ["Linux", "Media"]),
        library("ReadingOrder", in: "Formats", ["Media"]),
        library(
            "ImageRenderer", in: "Renderers/Image",
            ["CVips", "Formats", "Linux", "Media", "Rendering", "Resampling", "Wire"]),
        library(
            "PlainRenderer", in: "Renderers/Plain",
            ["CISAL", "CLCMS", "CTurboJPEG", "Formats", "Linux", "Media", "Rendering", "Resampling", "Wire"]),
        library(
            "PageRenderer", in: "Renderers/PDF",
            [
                "COpenJPEG", "CPoppler", "CPopplerCore", "CSourceStream", "Formats", "Linux", "Media", "PDFSyntax",
                "PlainRenderer", "Rendering", "Resampling", "Wire",
            ]),
        library(
            "VideoRenderer", in: "Renderers/Video",
            ["CFFmpeg", "Formats", "Linux", "Media", "Rendering", "Resampling", "Wire"]),
        library(
            "TextReader", in: "Renderers/Text",
            ["CExpat", "CLinux", "Formats", "Linux", "Media", "ReadingOrder", "Rendering", "Wire"]),
        library(
            "PageRecognizer", in: "Renderers/Recognition", ["CTesseract", "Formats", "Media", "Rendering", "Wire"]),
        renderer("compass-sniff", in: "Sniff", over: "Sniffer"),
        renderer("compass-render-image", in: "Image", over: "ImageRenderer"),
        renderer("compass-render-plain", in: "Plain", over: "PlainRenderer"),
        renderer("compass-render-pdf", in: "PDF", over: "PageRenderer"),
        renderer("compass-render-video", in: "Video", over: "VideoRenderer"),
        renderer("compass-read-text", in: "Text", over: "TextReader"),
        renderer("compass-recognize", in: "Recognition", over: "PageRecognizer"),

        // The host's side: no media library from here on.
        library("RenderHost", in: "Host", ["CLinux", "Linux", "Media", "Wire"]),
        // What makes the renderers start faster, at build and installation.
        library("StandIns", in: "Host", ["CLinux", "Linux", "Media"]),
        .executableTarget(
            name: "compass-stand-ins", dependencies: ["CLinux", "Linux", "Media", "StandIns"],
            path: "Sources/Programs/compass-stand-ins", swiftSettings: strict,
            linkerSettings: staticProgram),

        library("Encoding", in: "Host", ["CTurboJPEG", "CWebP", "CZlib", "Media"]),
        library("ThumbnailCache", in: "Host", ["CLinux", "CNettle", "Linux", "Media"]),
        library("SQL", in: "Queue", []),
        library("PostgreSQL", in: "Queue", ["CLinux", "CPQ", "Linux", "SQL"]),
        library(
            "SQLite", in: "Queue",
            [
                "Linux", "SQL", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        library(
            "JobQueue", in: "Queue",
            ["Linux", "Media", "PostgreSQL", "SQL", "SQLite", .product(name: "GRDB", package: "GRDB.swift")]),
        library("Settings", in: "Host", ["Media"]),
        library(
            "Thumbnailer", in: "Host", ["CLinux", "Encoding", "Linux", "Media", "RenderHost", "ThumbnailCache", "Wire"]),
        library(
            "WarmSocket", in: "Host",
            ["CLinux", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer", "Wire"]),
        library("Console", in: "Programs", ["CLinux", "Linux", "Media", "Settings", "Wire", argumentParser]),
        library("QueueCommands", in: "Programs", ["CLinux", "Console", "Linux", "Media", "Settings", argumentParser]),
        .executableTarget(
            name: "compass",
            dependencies: [
                "CLinux", "Console", "Encoding", "Linux", "Media", "QueueCommands", "RenderHost", "Settings",
                "ThumbnailCache", "Thumbnailer", "WarmSocket", "Wire", argumentParser,
            ],
            path: "Sources/Programs/compass", swiftSettings: strict, linkerSettings: wholeCommand),
        .executableTarget(
            name: "compass-fetch", dependencies: ["CLinux", "Console", "Fetching", "Linux", "Media", "Wire"],
            path: "Sources/Programs/compass-fetch", swiftSettings: strict, linkerSettings: staticService),
        .executableTarget(
            name: "compass-queue",
            dependencies: [
                "CLinux", "Console", "JobQueue", "Linux", "Media", "PostgreSQL", "QueueCommands", "RenderHost", "SQL",
                "SQLite", "Settings", "ThumbnailCache", "Thumbnailer", "Wire", argumentParser,
            ],
            path: "Sources/Programs/compass-queue", swiftSettings: strict, linkerSettings: staticService),

        library(
            "Worker", in: "Queue",
            ["CLinux", "JobQueue", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"]),
        library(
            "SupabaseWire", in: "Service",
            [
                "Access", "Audit", "Documents", "HTTPServing", "HTTPSyntax", "Library", "Linux", "Media", "Objects",
                "SQL", "ThumbnailCache", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        library(
            "Daemon", in: "Programs",
            [
                "CLinux", "Console", "JobQueue", "JobSearch", "Linux", "Media", "ObjectBucket", "Objects", "PostgreSQL",
                "PostingDatabase", "RenderHost", "S3", "SQL", "SQLite", "SearchDatabase", "Settings", "ThumbnailCache",
                "Thumbnailer", "Wire", "Worker", argumentParser,
                .product(name: "Logging", package: "swift-log"),
            ]),
        .executableTarget(
            name: "thumbd",
            dependencies: [
                "CLinux", "Console", "Daemon", "JobQueue", "Linux", "Media", "Objects", "RenderHost", "Settings",
                "Telemetry", "ThumbnailCache", "Thumbnailer", "WarmSocket", "Worker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Programs/thumbd", swiftSettings: strict, linkerSettings: staticService),

        // The document service.
        library("Documents", in: "Service", ["Media"]),
        library(
            "DocumentDatabase", in: "Service",
            [
                "Documents", "JobQueue", "Linux", "Media", "PostgreSQL", "SQL", "SQLite",
            ]),
        library("HTTPSyntax", in: "Service", ["Media"]),
        library(
            "HTTPServing", in: "Service",
            [
                "HTTPSyntax", "Linux", "Media", "Telemetry", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        library("Telemetry", in: "Service", ["CLinux", "Linux"]),
        library("Objects", in: "Service", ["CLinux", "Linux", "Media", "ThumbnailCache", "Thumbnailer"]),
        library(
            "ObjectBucket", in: "Service",
            ["CLinux", "Linux", "Media", "Objects", "RenderHost", "S3", "SQL", "ThumbnailCache", "Thumbnailer"]),
        library("S3", in: "Service", ["CCurl", "CLinux", "CNettle", "HTTPSyntax", "Linux", "Media", "ThumbnailCache"]),
        library("Fetching", in: "Service", ["CCurl", "CLinux", "HTTPSyntax", "Linux", "Media", "S3"]),

        library("Scanning", in: "Service", ["CLinux", "Linux", "Objects"]),
        library(
            "Library", in: "Service",
            [
                "Access", "Documents", "JobQueue", "Linux", "Media", "Objects", "Scanning", "ThumbnailCache",
                "Thumbnailer",
            ]),
        library("Access", in: "Service", ["CSodium", "Documents", "Media"]),
        library(
            "Tokens", in: "Service",
            [
                "Access", "Documents", "Linux", "Media", "ThumbnailCache",
                .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        library(
            "Accounts", in: "Service",
            [
                "Access", "CSodium", "Documents", "Linux", "Media", "ThumbnailCache",
                .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        library(
            "AccountDatabase", in: "Service",
            [
                "Access", "Accounts", "DocumentDatabase", "Documents", "Media", "SQL",
            ]),
        library("KeyDatabase", in: "Service", ["Access", "Accounts", "CSodium", "Documents", "Linux", "Media", "SQL"]),
        library(
            "PersonalData", in: "Service",
            [
                "Access", "Accounts", "Audit", "CZlib", "Documents", "JobSearch", "Library", "Linux", "Media",
                "Objects", "SearchDatabase",
            ]),
        library("Audit", in: "Service", ["CLinux", "Documents", "Linux", "Media"]),
        library(
            "OpenIDConnect", in: "Service",
            [
                "Access", "Accounts", "CCurl", "Documents", "HTTPServing", "HTTPSyntax", "Linux", "Media",
                "ThumbnailCache", "Tokens",
            ]),
        library("Mail", in: "Service", ["CCurl", "HTTPSyntax", "Media"]),
        library(
            "AuthWire", in: "Service",
            [
                "Access", "Accounts", "Audit", "Documents", "HTTPServing", "HTTPSyntax", "Linux", "Media",
                "OpenIDConnect",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        // From a résumé to the postings that fit: values and rules, without files, databases and servers.
        .target(
            name: "Vocabulary", dependencies: ["Media"], path: "Sources/Service/Vocabulary",
            resources: [.embedInCode("Data/occupations.txt"), .embedInCode("Data/skills.txt")], swiftSettings: strict),
        library("Resumes", in: "Service", ["Media", "ReadingOrder", "Vocabulary"]),
        library("Postings", in: "Service", ["Media", "Vocabulary"]),
        .target(
            name: "Matching", dependencies: ["Media", "Postings", "Resumes", "Vocabulary"],
            path: "Sources/Service/Matching", resources: [.embedInCode("Data/places.txt")], swiftSettings: strict),
        library(
            "PostingDatabase", in: "Service",
            [
                "DocumentDatabase", "Documents", "Media", "Postings", "SQL", "ThumbnailCache",
                "Vocabulary",
            ]),

        library(
            "SearchDatabase", in: "Service",
            ["DocumentDatabase", "Documents", "JobQueue", "Media", "Postings", "SQL"]),
        .target(
            name: "JobSearch",
            dependencies: [
                "Documents", "JobQueue", "Linux", "Matching", "Media", "Objects", "PostingDatabase", "Postings",
                "RenderHost", "Resumes", "SearchDatabase", "Thumbnailer", "Vocabulary",
            ],
            path: "Sources/Service/JobSearch", resources: [.embedInCode("Sample/sample-resume.pdf")],
            swiftSettings: strict),

        .target(
            name: "DocumentAPI",
            dependencies: [
                "Access", "Accounts", "Audit", "Documents", "Encoding", "HTTPServing", "HTTPSyntax", "JobSearch",
                "Library", "Linux", "Matching", "Media", "Objects", "OpenIDConnect", "PersonalData", "PostingDatabase",
                "Postings", "Resumes", "SearchDatabase", "ThumbnailCache",
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Sources/Service/DocumentAPI", resources: [.embedInCode("openapi.json")], swiftSettings: strict),

        .target(
            name: "Web",
            dependencies: [
                "CZlib", "Media", "ThumbnailCache", .product(name: "Hummingbird", package: "hummingbird"),
            ],
            path: "Sources/Service/Web",
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
        .executableTarget(
            name: "documentd",
            dependencies: [
                "Access", "AccountDatabase", "Accounts", "Audit", "AuthWire", "CLinux", "Console", "Daemon",
                "DocumentAPI", "DocumentDatabase", "Documents", "HTTPServing", "HTTPSyntax", "JobQueue",
                "JobSearch", "KeyDatabase", "Library", "Linux", "Mail", "Media", "Objects", "OpenIDConnect",
                "PersonalData", "PostingDatabase", "Postings", "RenderHost", "SQL", "SQLite", "Scanning",
                "Settings", "SupabaseWire", "Telemetry", "ThumbnailCache", "Tokens", "Vocabulary", "Web", "Worker",
                argumentParser,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Programs/documentd", swiftSettings: strict, linkerSettings: staticService),

        // An SMTP server for tests.
        .target(
            name: "PostgreSQLSupport", dependencies: ["PostgreSQL", "SQL", "TestSupport"],
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
            name: "Probing", dependencies: ["Formats", "CLinux", "CSeccomp", "Linux", "Media", "Rendering", "Wire"],
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
            dependencies: ["Formats", "CLinux", "Linux", "Media", "Probing", "Rendering", "Wire"],
            path: "Tests/Support/FakeRenderer", swiftSettings: strict, linkerSettings: staticProgram),

        // Warm renderers behind a socket, for the tests and benchmarks of `compass thumb`.
        .executableTarget(
            name: "warm-host",
            dependencies: [
                "CLinux", "Console", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer",
                "WarmSocket",
            ], path: "Tests/Support/WarmHost", swiftSettings: strict, linkerSettings: staticCommand),

        // Runs the built `compass` over a corpus.
        .executableTarget(
            name: "corpus-check", dependencies: ["CLinux", "Media", "TestSupport"], path: "Tests/Checks/CorpusCheck",
            exclude: ["differences.tsv"], swiftSettings: strict, linkerSettings: staticProgram),

        // Reads profiles and ranks postings, for the measurement of their quality.
        .executableTarget(
            name: "jobs-quality",
            dependencies: ["Matching", "Media", "Postings", "ReadingOrder", "Resumes", "Vocabulary"],
            path: "Tests/Checks/JobsQuality",
            exclude: ["converters.py", "generator.py", "packages.txt", "run.py", "scoring.py"], swiftSettings: strict),

        // Carries out operations on the store of documents, for the independent evaluator of its lists.
        .executableTarget(
            name: "document-lists", dependencies: ["DocumentDatabase", "Documents", "Media", "SQLite"],
            path: "Tests/Checks/DocumentLists", exclude: ["evaluate.py"], swiftSettings: strict),

        // Feeds mutated files to the real renderers.
        .executableTarget(
            name: "torture", dependencies: ["CLinux", "Linux", "Media", "RenderHost", "TestSupport", "Wire"],
            path: "Tests/Checks/Torture",
            swiftSettings: strict, linkerSettings: staticProgram),

        // A database and system calls that fail where a test's plan says so.
        .target(
            name: "FaultInjection", dependencies: ["CLinux", "Linux", "Objects", "SQL"],
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
                "CLinux", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost", "TestSupport", "ThumbnailCache",
                "Thumbnailer", "Worker",
            ], path: "Tests/Checks/Chaos", swiftSettings: strict),

        // Times warm jobs beside the same work without a renderer.
        .executableTarget(
            name: "warm-cost",
            dependencies: [
                "Formats", "CLinux", "ImageRenderer", "Linux", "Media", "PageRenderer", "PlainRenderer", "RenderHost",
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
            name: "queue-race", dependencies: ["CLinux", "JobQueue", "Linux", "Media", "PostgreSQL"],
            path: "Benchmarks/QueueRace", swiftSettings: strict, linkerSettings: staticService),
        // Times the receiving of an object beside what the disk and the digest take for it.
        .executableTarget(
            name: "object-speed", dependencies: ["CLinux", "Linux", "Media", "Objects", "ThumbnailCache"],
            path: "Benchmarks/ObjectSpeed", swiftSettings: strict, linkerSettings: staticService),
        // Times the acceptance of jobs beside what the disk takes for it.
        .executableTarget(
            name: "enqueue-speed", dependencies: ["CLinux", "JobQueue", "Linux", "Media"],
            path: "Benchmarks/EnqueueSpeed", swiftSettings: strict, linkerSettings: staticService),

        // Times the lists and searches of one person's documents, as many as there may be.
        .executableTarget(
            name: "document-speed",
            dependencies: [
                "DocumentDatabase", "Documents", "Linux", "Media", "SQLite", "TestSupport",
            ],
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
            name: "RowTables", dependencies: ["Documents", "Media", "SQL", "SupabaseWire"],
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
                "Access", "ArchiveBuilding", "CTurboJPEG", "Documents", "Encoding", "Formats", "HTTPSyntax", "Linux",
                "Media",
                "PDFBuilding", "PDFSyntax", "PageRenderer", "PlainRenderer", "Postings", "ReadingOrder", "Rendering",
                "Resumes", "RowTables", "SQL", "SQLite", "Settings", "SupabaseWire", "TestSupport", "TextReader",
                "ThumbnailCache",
                "Tokens", "VideoRenderer", "Vocabulary", "Wire",
            ],
            path: "Tests/Checks/Fuzz/Targets", swiftSettings: strict),

        tests(of: "Access", in: "Service", ["Documents", "Media"]),
        tests(of: "Audit", in: "Service", ["Documents", "Linux", "Media"]),
        tests(
            of: "Accounts", in: "Service",
            [
                "Access", "AccountDatabase", "Documents", "Linux", "Media", "PostgreSQL", "PostgreSQLSupport", "SQL",
                "SQLite",
            ]),
        tests(
            of: "KeyDatabase", in: "Service",
            ["Access", "Linux", "Media", "PostgreSQLSupport", "SQL", "SQLite"]),
        tests(of: "Console", in: "Programs", ["CLinux", "Linux", "Media", argumentParser]),
        tests(
            of: "DocumentAPI", in: "Service",
            [
                "Access", "DocumentDatabase", "Documents", "HTTPServing", "JobSearch", "Library", "Media", "Objects",
                "PostingDatabase", "QueueWrapping", "RenderHost", "SQLite", "SearchDatabase", "ThumbnailCache",
                "Thumbnailer",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        tests(of: "Documents", in: "Service", ["Media"]),
        tests(
            of: "DocumentDatabase", in: "Service",
            [
                "Documents", "JobQueue", "Linux", "Media", "PostgreSQLSupport", "SQL", "SQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        tests(of: "Encoding", in: "Host", ["CSpng", "CTurboJPEG", "CWebP", "Media"]),
        .testTarget(
            name: "FuzzTests", dependencies: ["CLinux", "FuzzTargets", "Linux", "TestDeadline", "TestSupport"],
            path: "Tests/Checks/FuzzTests", swiftSettings: strict),
        tests(
            of: "HTTPServing", in: "Service",
            [
                "CSeenRuntime", "HTTPSyntax", "Linux", "Media", "Telemetry",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        tests(of: "HTTPSyntax", in: "Service", ["Media"]),
        tests(of: "ImageRenderer", in: "Renderers", ["Formats", "CVips", "Linux", "Media", "Rendering", "Wire"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Access", "AccountDatabase", "Accounts", "ArchiveBuilding", "AuthWire", "CSpng", "DocumentAPI",
                "DocumentDatabase",
                "Documents", "HTTPServing", "HTTPSyntax", "JobQueue", "JobSearch", "Library", "Linux", "MailSupport",
                "Media", "ObjectBucket", "Objects", "PDFBuilding", "PersonalData", "PostgreSQLSupport",
                "PostingDatabase", "Postings", "QueueWrapping", "RenderHost", "Resumes", "S3", "SearchDatabase",
                "Settings", "SQL", "SQLite", "StoreSupport", "SupabaseWire", "TestDeadline", "TestSupport",
                "ThumbnailCache",
                "Thumbnailer", "TokenMaking", "Tokens",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Programs/IntegrationTests",
            exclude: ["Service/Access/costs.txt", "Service/Access/matrix.txt", "Service/HostileClients/routes.txt"],
            swiftSettings: unoptimized),
        tests(
            of: "JobQueue", in: "Queue",
            [
                "CSeenRuntime", "Linux", "Media", "PostgreSQL", "PostgreSQLSupport", "SQL", "SQLite",
            ]),
        tests(
            of: "JobSearch", in: "Service",
            [
                "CLinux", "DocumentDatabase", "Documents", "JobQueue", "Linux", "Matching", "Media",
                "PostgreSQLSupport",
                "PostingDatabase", "Postings", "RenderHost", "Resumes", "SQL", "SQLite", "SearchDatabase",
                "Thumbnailer",
                "Vocabulary",
            ]),
        tests(
            of: "PageRecognizer", in: "Renderers", ["Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "Postings", in: "Service"),
        tests(
            of: "PostingDatabase", in: "Service",
            ["Documents", "PostgreSQL", "PostgreSQLSupport", "Postings", "SQLite", "Vocabulary"]),
        tests(
            of: "SearchDatabase", in: "Service",
            ["Documents", "JobQueue", "PostgreSQLSupport", "Postings", "SQL", "SQLite"]),
        tests(of: "PostgreSQL", in: "Queue", ["Linux", "PostgreSQLSupport", "SQL"]),
        tests(
            of: "Library", in: "Service",
            [
                "CSeenRuntime", "DocumentDatabase", "Documents", "FaultInjection", "HTTPServing", "HTTPSyntax", "Linux",
                "Media", "Objects", "QueueWrapping", "RenderHost", "SQL", "SQLite", "Telemetry", "ThumbnailCache",
                "Thumbnailer",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        tests(of: "Linux", in: "System", ["CLinux"]),
        tests(of: "Mail", in: "Service", ["MailSupport", "Media"]),
        tests(of: "Matching", in: "Service", ["Media", "Postings", "Resumes", "Vocabulary"]),
        tests(of: "Media", in: "Values"),
        tests(
            of: "OpenIDConnect", in: "Service",
            [
                "Access", "AccountDatabase", "Accounts", "Documents", "HTTPServing", "HTTPSyntax", "Linux", "Media",
                "SQLite", "TokenMaking",
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ]),
        tests(
            of: "Objects", in: "Service",
            [
                "CLinux", "FaultInjection", "Linux", "Media", "ObjectBucket", "RenderHost", "S3", "SQL", "SQLite",
                "StoreSupport", "ThumbnailCache", "Thumbnailer",
            ]),
        .testTarget(
            name: "S3Tests",
            dependencies: ["Linux", "Media", "S3", "StoreSupport", "TestDeadline", "TestSupport", "ThumbnailCache"],
            path: "Tests/Service/S3Tests", exclude: ["signatures.py"], swiftSettings: strict),
        tests(of: "PDFSyntax", in: "Formats", ["Formats", "Linux", "Media", "PDFBuilding"]),
        tests(
            of: "PageRenderer", in: "Renderers",
            ["Formats", "COpenJPEG", "Linux", "Media", "PDFBuilding", "Rendering", "Wire"]),
        tests(
            of: "PersonalData", in: "Service",
            [
                "Access", "AccountDatabase", "Accounts", "Audit", "DocumentDatabase", "Documents", "FaultInjection",
                "Linux", "Media", "Objects", "SQLite",
            ]),
        tests(
            of: "PlainRenderer", in: "Renderers", computes: true,
            ["Formats", "CLCMS", "CSpng", "CTurboJPEG", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "RenderHost", in: "Host", ["Formats", "CLinux", "CSeenRuntime", "Linux", "Media", "Wire"]),
        tests(of: "Rendering", in: "Renderers", ["Formats", "Linux", "Media", "Wire"]),
        tests(of: "Resampling", in: "Renderers", computes: true, ["Media"]),
        tests(of: "Resumes", in: "Service", ["CLinux", "Media", "ReadingOrder", "Vocabulary"]),
        tests(of: "Settings", in: "Host", ["Media"]),
        tests(
            of: "Sniffer", in: "Renderers",
            ["ArchiveBuilding", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "StandIns", in: "Host", ["CLinux", "Linux", "Media", "RenderHost"]),
        tests(of: "ThumbnailCache", in: "Host", computes: true, ["Linux", "Media"]),
        tests(
            of: "Tokens", in: "Service",
            ["Access", "Documents", "Media", "TokenMaking"]),
        tests(
            of: "SupabaseWire", in: "Service", exclude: ["Statements/postgresql.json"],
            [
                "Access", "DocumentDatabase", "Documents", "HTTPServing", "HTTPSyntax", "Media", "PostgreSQLSupport",
                "RowTables", "SQL", "SQLite",
            ]),
        tests(
            of: "TextReader", in: "Renderers",
            ["ArchiveBuilding", "Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "Thumbnailer", in: "Host", ["CLinux", "Encoding", "Linux", "Media", "RenderHost", "ThumbnailCache"]),
        tests(of: "VideoRenderer", in: "Renderers", ["Formats", "Linux", "Media", "Rendering", "Wire"]),
        tests(
            of: "WarmSocket", in: "Host",
            ["CLinux", "CSeenRuntime", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"]),
        tests(of: "Vocabulary", in: "Service"),
        tests(of: "Wire", in: "Renderers", ["Media"]),
        tests(
            of: "Worker", in: "Queue",
            [
                "CLinux", "CSeenRuntime", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost", "ThumbnailCache",
                "Thumbnailer",
            ]),
    ].filter { target in target.type != .test || chosenTests?.contains(target.name) != false } + fuzzing,
    // Poppler's headers need C++20 from version 24 on.
    cxxLanguageStandard: .cxx20
)
