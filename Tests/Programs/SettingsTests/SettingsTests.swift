import Console
import Media
import TestDeadline
import Testing

@Suite("Settings come from flags, environment, file or defaults", .deadline)
struct SettingsTests {
    private let standard = StandardValues(cachePath: "/c", queuePath: "/q", dataPath: "/d", processorCount: 3)

    private func origin(_ setting: Setting, in settings: Settings) -> Settings.Origin? {
        settings.entries.first { $0.setting == setting }?.origin
    }

    @Test("Without any source, every setting has its default")
    func defaults() throws {
        let settings = try Settings(flags: [:], environment: [:], file: nil, standard: standard)
        #expect(settings.limits == Limits())
        #expect(settings.cachePath == "/c")
        #expect(settings.jobCount == 3)
        #expect(settings.maxUnhashedByteCount == 16 << 20)
        #expect(settings.entries.count == Setting.allCases.count)
        #expect(settings.entries.allSatisfy { $0.origin == .standard })
    }

    @Test("A flag overrides the environment, the environment the file, and the file the default")
    func precedence() throws {
        let file = try SettingsFile(path: "/etc/f", text: "timeout = 7\njobs=5 # five\n\ncache = /from file\n")
        let environment = ["COMPASS_TIMEOUT": "8", "COMPASS_MAX_PIXELS": "99"]
        let settings = try Settings(flags: [.timeout: "9"], environment: environment, file: file, standard: standard)
        #expect(settings.limits.wallTime == .seconds(9))
        #expect(settings.limits.streamedPixelCount == 99)
        #expect(settings.jobCount == 5)
        #expect(settings.cachePath == "/from file")
        #expect(origin(.timeout, in: settings) == .flag)
        #expect(origin(.maxPixels, in: settings) == .environment)
        #expect(origin(.jobs, in: settings) == .file("/etc/f"))
        #expect(origin(.memory, in: settings) == .standard)
    }

    @Test(
        "The control group of the renderers is required, refused, or used where there is one",
        arguments: [("yes", Preference.yes), ("no", .no), ("auto", .auto), ("1", .yes), ("false", .no)])
    func controlGroup(text: String, preference: Preference) throws {
        let settings = try Settings(
            flags: [:], environment: ["COMPASS_CONTROL_GROUP": text], file: nil, standard: standard)
        #expect(settings.controlGroup == preference)
    }

    @Test("By default a control group is used where there is one; other values are refused")
    func controlGroupByDefault() throws {
        #expect(try Settings(flags: [:], environment: [:], file: nil, standard: standard).controlGroup == .auto)
        #expect(
            #expect(throws: Failure.self) {
                try Settings(flags: [.controlGroup: "maybe"], environment: [:], file: nil, standard: standard)
            }?.message == "--control-group takes yes, no or auto, not “maybe”.")
    }

    @Test("Every variable is its setting's, and no other spelling of it")
    func variables() throws {
        let environment = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0.variable, "") })
        #expect(environment.count == Setting.allCases.count)
        for name in ["COMPASS_max_pixels", "COMPASS_MAX-PIXELS", "MAX_PIXELS"] {
            let settings = try Settings(flags: [:], environment: [name: "9"], file: nil, standard: standard)
            #expect(origin(.maxPixels, in: settings) == .standard, "\(name)")
        }
        let exact = try Settings(flags: [:], environment: ["COMPASS_MAX_PIXELS": "9"], file: nil, standard: standard)
        #expect(exact.limits.streamedPixelCount == 9)
    }

    @Test("The database lies in the data folder, in the file that is named, or on a server")
    func database() throws {
        func settings(_ text: String) throws -> Settings {
            try Settings(flags: [.database: text, .data: "/d"], environment: [:], file: nil, standard: standard)
        }
        #expect(try settings("").service.database == .file("/d/documents.sqlite"))
        #expect(try settings("sqlite:x/y.sqlite").service.database == .file("x/y.sqlite"))
        #expect(try settings("postgres://host/d").service.database == .server("postgres://host/d"))
        for text in ["sqlite:", "/d/x", "mysql://host/documents"] {
            #expect(
                #expect(throws: Failure.self) { try settings(text) }?.message
                    == "--database takes sqlite:FILE or postgres://USER@HOST/DATABASE, not “\(text)”.")
        }
    }

    @Test("The queue lies in the database, unless the call names a queue of its own; passwords are not shown")
    func queue() throws {
        func settings(_ flags: [Setting: String], _ database: String) throws -> Settings {
            try Settings(flags: flags, environment: ["COMPASS_DATABASE": database], file: nil, standard: standard)
        }
        #expect(try settings([:], "sqlite:/d/x").queuePath == "/d/x")
        #expect(try settings([.queue: "/q"], "sqlite:/d/x").queuePath == "/q")
        #expect(try settings([.queue: "/q"], "postgres://h/d").database == nil)
        #expect(try settings([:], "postgres://h/d").database == .server("postgres://h/d"))
        let shown = [
            ("postgres://ada:geheim@h:1/d?x=a@b", "postgres://ada:…@h:1/d?x=a@b"),
            ("postgres://ada@h/d", "postgres://ada@h/d"),
            ("postgresql://a:b@c@h/d", "postgresql://a:…@h/d"), ("postgres:///d", "postgres:///d"),
        ]
        for (text, words) in shown {
            let entry = try settings([:], text).entries.first { $0.setting == .database }
            #expect(entry?.shown == words)
        }
    }

    @Test("The store is a folder, a bucket or none; other addresses are refused plainly")
    func store() throws {
        #expect(try Settings(flags: [:], environment: [:], file: nil, standard: standard).store == nil)
        let environment = ["COMPASS_STORE": "/srv/objects"]
        #expect(
            try Settings(flags: [:], environment: environment, file: nil, standard: standard).store
                == .folder("/srv/objects"))
        for (text, place) in [
            ("s3://bucket", StoreAddress.bucket("bucket", prefix: "")), ("s3://b/a/c", .bucket("b", prefix: "a/c")),
        ] {
            let settings = try Settings(flags: [.store: text], environment: [:], file: nil, standard: standard)
            #expect(settings.store == place && settings.store?.description == text)
        }
        #expect(
            #expect(throws: Failure.self) {
                try Settings(flags: [.store: "s3:///x"], environment: [:], file: nil, standard: standard)
            }?.message == "--store takes a folder, or s3://BUCKET/PREFIX, not “s3:///x”.")
        #expect(
            #expect(throws: Failure.self) {
                try Settings(flags: [.s3Endpoint: "host"], environment: [:], file: nil, standard: standard)
            }?.message == "--s3-endpoint takes an address such as https://s3.example.org, not “host”.")
    }

    @Test(
        "A further owner of the cache is a user's number or none",
        arguments: [("none", nil), ("998", 998 as UInt32?)])
    func cacheOwner(text: String, owner: UInt32?) throws {
        let settings = try Settings(flags: [.cacheOwner: text], environment: [:], file: nil, standard: standard)
        #expect(settings.cacheOwner == owner)
        for wrong in ["root", "-1", "4294967296", ""] {
            #expect(throws: Failure.self) {
                try Settings(flags: [.cacheOwner: wrong], environment: [:], file: nil, standard: standard)
            }
        }
    }

    @Test("Shared pictures have no budget unless one is set")
    func sharedBudget() throws {
        func budget(_ flags: [Setting: String]) throws -> UInt64? {
            try Settings(flags: flags, environment: [:], file: nil, standard: standard).sharedBudget
        }
        #expect(try budget([:]) == nil && budget([.sharedBudget: "none"]) == nil)
        #expect(try budget([.sharedBudget: "3G"]) == 3 << 30)
        #expect(throws: Failure.self) { try budget([.sharedBudget: "0"]) }
    }

    @Test(
        "A wrong value is refused with the name of its source",
        arguments: [
            ("COMPASS_TIMEOUT", "soon"), ("COMPASS_TIMEOUT", "0"), ("COMPASS_TIMEOUT", "-1"), ("COMPASS_JOBS", "0"),
            ("COMPASS_JOBS", "1000"), ("COMPASS_MEMORY", "lots"), ("COMPASS_CACHE", ""), ("COMPASS_CACHE_BUDGET", "9E"),
            ("COMPASS_REQUIRE_SANDBOX", "maybe"),
        ])
    func nonsense(variable: String, value: String) {
        let failure = #expect(throws: Failure.self) {
            try Settings(flags: [:], environment: [variable: value], file: nil, standard: standard)
        }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains(variable) == true)
    }

    @Test("A client may stall for half a minute unless set, and for a number of seconds")
    func stallTime() throws {
        func service(_ flags: [Setting: String]) throws -> ServiceSettings {
            try Settings(flags: flags, environment: [:], file: nil, standard: standard).service
        }
        #expect(try service([:]).stallTime == .seconds(30))
        #expect(try service([.stallTime: "4"]).stallTime == .seconds(4))
        for wrong in ["0", "3601", "none", ""] {
            #expect(throws: Failure.self) { try service([.stallTime: wrong]) }
        }
    }

    @Test("A résumé is no larger than an upload, and searches in an hour are a number or none")
    func searches() throws {
        func service(_ flags: [Setting: String]) throws -> ServiceSettings {
            try Settings(flags: flags, environment: [:], file: nil, standard: standard).service
        }
        #expect(try service([:]).maxResumeByteCount == 10_000_000 && service([:]).searchesPerHour == 120)
        #expect(try service([.maxResume: "1M"]).maxResumeByteCount == 1 << 20)
        #expect(try service([.maxUpload: "1M"]).maxResumeByteCount == 1 << 20)
        #expect(try service([.searchesPerHour: "none"]).searchesPerHour == nil)
        #expect(try service([:]).nobodyByteCount == 2 << 30)
        #expect(try service([.storageOfNobody: "none"]).nobodyByteCount == nil)
        #expect(try service([:]).signedAddressSeconds == 604_800)
        #expect(try service([.signedAddressTime: "60"]).signedAddressSeconds == 60)
        for wrong in ["59", "604801", "none"] {
            #expect(throws: Failure.self) { try service([.signedAddressTime: wrong]) }
        }
        for wrong in ["0", "-1", "many", ""] {
            #expect(
                #expect(throws: Failure.self) { try service([.searchesPerHour: wrong]) }?.message
                    == "--searches-per-hour takes a number from 1 to 1000000, or none, not “\(wrong)”.")
        }
        #expect(throws: Failure.self) { try service([.maxResume: "0"]) }
        #expect(try service([:]).auditByteCount == 10 << 30 && service([.auditSize: "16M"]).auditByteCount == 16 << 20)
        for wrong in ["15M", "none"] { #expect(throws: Failure.self) { try service([.auditSize: wrong]) } }
    }

    @Test("Addresses to come back to are none unless they are set")
    func redirectAddresses() throws {
        let bare = try Settings(flags: [:], environment: [:], file: nil, standard: standard)
        #expect(bare.service.redirectAddresses == "")
        let environment = ["COMPASS_REDIRECT_ADDRESSES": "app://callback"]
        let settings = try Settings(flags: [:], environment: environment, file: nil, standard: standard)
        #expect(settings.service.redirectAddresses == "app://callback")
    }

    @Test("An unknown name in the file is an error with its line")
    func unknownName() {
        let failure = #expect(throws: Failure.self) { try SettingsFile(path: "f", text: "# fine\n\ntimeuot = 3") }
        #expect(failure?.message.contains("line 3") == true)
    }

    @Test(
        "A number of bytes may have a unit",
        arguments: [("1", 1), ("2k", 2048), ("500M", 500 << 20), ("2g", 2 << 30), ("1T", 1 << 40)] as [(String, UInt64)]
    )
    func byteCounts(text: String, value: UInt64) { #expect(ByteCount(parsing: text)?.value == value) }

    @Test(
        "Other texts are no number of bytes",
        arguments: ["", "k", "0", "-1", "1.5M", "1 M", "9999999999T", "18446744073709551615k"])
    func noByteCounts(text: String) { #expect(ByteCount(parsing: text) == nil) }

    @Test(
        "A number of bytes is printed in the largest unit that gives at least 1",
        arguments: [(999, "999 B"), (1000, "1.0 kB"), (1_550_000, "1.6 MB"), (2_000_000_000, "2.0 GB")]
            as [(UInt64, String)])
    func printing(value: UInt64, text: String) { #expect(ByteCount(value).description == text) }
}
