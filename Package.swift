// swift-tools-version: 6.2
import PackageDescription

/// Whether `make fuzz` builds, in a scratch folder of its own: with coverage for libFuzzer, and with its program. A package
/// beside this one could not see what is `package` here.
let isFuzzing = Context.environment["COMPASS_FUZZ"] != nil

/// The only test targets that `make sanitize` builds: all tests under two sanitizers would take an hour.
let chosenTests = Context.environment["COMPASS_TESTS"]?.split(separator: " ").map(String.init)

/// Every Swift target: the newest language mode's checks, and no warning survives.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
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

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func renderer(_ name: String, over library: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: library), "Formats", "Media", "Rendering"], swiftSettings: strict,
        linkerSettings: staticProgram)
}

func probingRenderer(_ name: String, over library: String, in folder: String) -> Target {
    .executableTarget(
        name: name, dependencies: [.byName(name: library), "Media", "Probing"],
        path: "Tests/ProbingPrograms/\(folder)", swiftSettings: strict, linkerSettings: staticProgram)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strict)
}

/// The default linker cannot read libFuzzer's debugging information.
let fuzzing: [Target] =
    isFuzzing
    ? [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["CFuzzer", "CLinux", "FuzzTargets", "Linux"], path: "Tests/Fuzz/Program",
            swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ] : []

let package = Package(
    name: "compass-media",
    products: [
        .executable(name: "compass", targets: ["compass"]),
        .executable(name: "thumbd", targets: ["thumbd"]),
        .executable(name: "compass-queue", targets: ["compass-queue"]),
        .executable(name: "compass-stand-ins", targets: ["compass-stand-ins"]),
        .executable(name: "compass-sniff", targets: ["compass-sniff"]),
        .executable(name: "compass-render-image", targets: ["compass-render-image"]),
        .executable(name: "compass-render-plain", targets: ["compass-render-plain"]),
        .executable(name: "compass-render-pdf", targets: ["compass-render-pdf"]),
        .executable(name: "compass-render-video", targets: ["compass-render-video"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        // System libraries: a module map and a header each.
        .systemLibrary(name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswscale libavutil"),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal"),
        .systemLibrary(name: "CLCMS", pkgConfig: "lcms2"),
        .systemLibrary(name: "CMagic", pkgConfig: "libmagic"),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle"),
        .systemLibrary(name: "COpenJPEG", pkgConfig: "libopenjp2"),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib"),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp"),
        .systemLibrary(name: "CSpng", pkgConfig: "spng"),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg"),
        .systemLibrary(name: "CVips", pkgConfig: "vips"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        // Not a system library alone: what it is linked with depends on its version.
        .target(name: "CWebP", linkerSettings: [.linkedLibrary("webp")]),
        .target(name: "CLinux"),
        // Poppler's own headers: its interface for C++ is a library of its own, whose loading is felt in every cold start.
        .target(
            name: "CPopplerCore", cxxSettings: [.unsafeFlags(["-I/usr/include/poppler"])],
            linkerSettings: [.linkedLibrary("poppler")]),

        // Values, and the kernel's calls as values.
        library("Media", []),
        library("Linux", ["CLinux"]),

        // The renderers' side.
        library("Wire", ["Media"]),
        library("Rendering", ["CLinux", "CSeccomp", "Linux", "Media", "Wire"]),
        library("Formats", ["CZlib", "Media", "Rendering"]),
        library("Sniffer", ["CMagic", "Formats", "Media", "Rendering", "Wire"]),
        library("Resampling", ["Linux", "Media"]),
        library("ImageRenderer", ["CVips", "Linux", "Media", "Rendering", "Resampling", "Wire"]),
        library(
            "PlainRenderer", ["CISAL", "CLCMS", "CTurboJPEG", "Linux", "Media", "Rendering", "Resampling", "Wire"]),
        library(
            "PageRenderer",
            ["COpenJPEG", "CPoppler", "CPopplerCore", "CZlib", "Linux", "Media", "PlainRenderer", "Rendering", "Wire"]),
        library("VideoRenderer", ["CFFmpeg", "Linux", "Media", "Rendering", "Wire"]),
        renderer("compass-sniff", over: "Sniffer"),
        renderer("compass-render-image", over: "ImageRenderer"),
        renderer("compass-render-plain", over: "PlainRenderer"),
        renderer("compass-render-pdf", over: "PageRenderer"),
        renderer("compass-render-video", over: "VideoRenderer"),

        // The host's side: no media library from here on.
        library("RenderHost", ["CLinux", "Linux", "Media", "Wire"]),
        // What makes the renderers start faster, at build and installation.
        library("StandIns", ["CLinux", "Linux", "Media"]),
        .executableTarget(
            name: "compass-stand-ins", dependencies: ["CLinux", "Linux", "Media", "StandIns"], swiftSettings: strict,
            linkerSettings: staticProgram),

        library("Encoding", ["CTurboJPEG", "CWebP", "CZlib", "Media"]),
        library("ThumbnailCache", ["CLinux", "CNettle", "Linux", "Media"]),
        library("JobQueue", ["Linux", "Media", .product(name: "GRDB", package: "GRDB.swift")]),
        library("Settings", ["Media"]),
        library("Thumbnailer", ["CLinux", "Encoding", "Linux", "Media", "RenderHost", "ThumbnailCache", "Wire"]),
        library(
            "WarmSocket",
            ["CLinux", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer", "Wire"]),
        library("Console", ["CLinux", "Linux", "Media", "Settings", argumentParser]),
        library("QueueCommands", ["CLinux", "Console", "Linux", "Media", "Settings", argumentParser]),
        .executableTarget(
            name: "compass",
            dependencies: [
                "CLinux", "Console", "Encoding", "Linux", "Media", "QueueCommands", "RenderHost", "Settings",
                "ThumbnailCache", "Thumbnailer", "WarmSocket", argumentParser,
            ],
            swiftSettings: strict, linkerSettings: wholeCommand),
        .executableTarget(
            name: "compass-queue",
            dependencies: [
                "CLinux", "Console", "JobQueue", "Linux", "Media", "QueueCommands", "RenderHost", "Settings",
                "ThumbnailCache", "Thumbnailer", argumentParser,
            ],
            swiftSettings: strict, linkerSettings: staticService),

        library("Worker", ["CLinux", "JobQueue", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"]),
        .executableTarget(
            name: "thumbd",
            dependencies: [
                "CLinux", "Console", "JobQueue", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache",
                "Thumbnailer", "WarmSocket", "Worker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, linkerSettings: staticService),

        // Ways out of a child, and the real renderers with these built in: for the tests of the confinement.
        .target(
            name: "Probing", dependencies: ["CLinux", "CSeccomp", "Linux", "Media", "Rendering", "Wire"],
            path: "Tests/Probing", swiftSettings: strict),
        probingRenderer("probing-sniff", over: "Sniffer", in: "Sniff"),
        probingRenderer("probing-render-image", over: "ImageRenderer", in: "Image"),
        probingRenderer("probing-render-plain", over: "PlainRenderer", in: "Plain"),
        probingRenderer("probing-render-pdf", over: "PageRenderer", in: "PDF"),
        probingRenderer("probing-render-video", over: "VideoRenderer", in: "Video"),

        // Names the system calls outside the lists over whole folders.
        .executableTarget(
            name: "call-check", dependencies: ["CLinux", "Linux", "Media", "RenderHost"], path: "Tests/CallCheck",
            swiftSettings: strict, linkerSettings: staticProgram),

        // A renderer that misbehaves on command, for the tests of the host.
        .executableTarget(
            name: "fake-renderer", dependencies: ["CLinux", "Linux", "Media", "Probing", "Rendering", "Wire"],
            path: "Tests/FakeRenderer", swiftSettings: strict, linkerSettings: staticProgram),

        // Warm renderers behind a socket, for the tests and benchmarks of `compass thumb`.
        .executableTarget(
            name: "warm-host",
            dependencies: [
                "CLinux", "Console", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer",
                "WarmSocket",
            ], path: "Tests/WarmHost", swiftSettings: strict, linkerSettings: staticCommand),

        // Runs the built `compass` over a corpus.
        .executableTarget(
            name: "corpus-check", dependencies: ["CLinux", "Media"], path: "Tests/CorpusCheck",
            exclude: ["differences.tsv"], swiftSettings: strict, linkerSettings: staticProgram),

        // Feeds mutated files to the real renderers.
        .executableTarget(
            name: "torture", dependencies: ["CLinux", "Linux", "Media", "RenderHost", "Wire"], path: "Tests/Torture",
            swiftSettings: strict, linkerSettings: staticProgram),

        // What a queue in front of another one passes through, for the tests that change the rest.
        .target(
            name: "QueueWrapping", dependencies: ["JobQueue", "Media"], path: "Tests/QueueWrapping",
            swiftSettings: strict),

        // Kills, stops and misleads real workers, and audits what is left.
        .executableTarget(
            name: "chaos",
            dependencies: [
                "CLinux", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost", "ThumbnailCache", "Thumbnailer",
                "Worker",
            ], path: "Tests/Chaos", swiftSettings: strict),

        // Times warm jobs beside the same work without a renderer.
        .executableTarget(
            name: "warm-cost",
            dependencies: [
                "CLinux", "ImageRenderer", "Linux", "Media", "PageRenderer", "PlainRenderer", "RenderHost", "Rendering",
                "VideoRenderer", "Wire",
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
        // Times the acceptance of jobs beside what the disk takes for it.
        .executableTarget(
            name: "enqueue-speed", dependencies: ["CLinux", "JobQueue", "Linux", "Media"],
            path: "Benchmarks/EnqueueSpeed", swiftSettings: strict, linkerSettings: staticService),

        // Shows the locks and references of Swift's runtime to ThreadSanitizer, for the tests that run under it.
        .target(name: "CSeenRuntime", path: "Tests/CSeenRuntime"),

        // What libFuzzer runs; the tests replay what it found.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CTurboJPEG", "Encoding", "Formats", "Linux", "Media", "PageRenderer", "PlainRenderer", "Rendering",
                "Settings", "ThumbnailCache", "VideoRenderer", "Wire",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: strict),

        tests(of: "Console", ["CLinux", "Linux", "Media"]),
        tests(of: "Encoding", ["CSpng", "CTurboJPEG", "CWebP", "Media"]),
        .testTarget(name: "FuzzTests", dependencies: ["CLinux", "FuzzTargets", "Linux"], swiftSettings: strict),
        tests(of: "ImageRenderer", ["CVips", "Linux", "Media", "Rendering", "Wire"]),
        .testTarget(name: "IntegrationTests", dependencies: ["CSpng", "JobQueue", "Media"], swiftSettings: strict),
        tests(of: "JobQueue", ["CSeenRuntime", "Linux", "Media"]),
        tests(of: "Linux", ["CLinux"]),
        tests(of: "Media"),
        tests(of: "PageRenderer", ["COpenJPEG", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "PlainRenderer", ["CLCMS", "CSpng", "CTurboJPEG", "Linux", "Media", "Rendering", "Wire"]),
        tests(of: "RenderHost", ["CLinux", "CSeenRuntime", "Linux", "Media", "Wire"]),
        tests(of: "Rendering", ["Linux", "Media", "Wire"]),
        tests(of: "Resampling", ["Media"]),
        tests(of: "Settings", ["Media"]),
        tests(of: "Sniffer", ["Linux", "Media", "Rendering", "Wire"]),
        tests(of: "StandIns", ["CLinux", "Linux", "Media", "RenderHost"]),
        tests(of: "ThumbnailCache", ["Linux", "Media"]),
        tests(of: "Thumbnailer", ["CLinux", "Encoding", "Linux", "Media", "RenderHost", "ThumbnailCache"]),
        tests(of: "VideoRenderer", ["Linux", "Media", "Rendering", "Wire"]),
        tests(
            of: "WarmSocket",
            ["CLinux", "CSeenRuntime", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"]),
        tests(of: "Wire", ["Media"]),
        tests(
            of: "Worker",
            [
                "CLinux", "CSeenRuntime", "JobQueue", "Linux", "Media", "QueueWrapping", "RenderHost", "ThumbnailCache",
                "Thumbnailer",
            ]),
    ].filter { target in target.type != .test || chosenTests?.contains(target.name) != false } + fuzzing,
    // Poppler's headers need C++20 from version 24 on.
    cxxLanguageStandard: .cxx20
)
