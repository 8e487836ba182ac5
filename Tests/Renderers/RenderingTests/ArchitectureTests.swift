import Rendering
import TestDeadline
import Testing

@Suite("The architecture of the lists of system calls", .deadline)
struct ArchitectureTests {
    @Test("Every other architecture has a note, which require-sandbox refuses", arguments: Architecture.allCases)
    func notes(architecture: Architecture) {
        guard architecture != .amd64 else {
            #expect(architecture.filterNote == nil)
            return
        }
        #expect(architecture.filterNote?.hasPrefix("NO SYSTEM CALL FILTER") == true)
        #expect(architecture.filterNote?.contains(architecture.rawValue) == true)
    }

    @Test("A build knows its architecture")
    func thisBuild() {
        #if arch(x86_64)
            #expect(Architecture.thisBuild == .amd64)
        #else
            #expect(Architecture.thisBuild != .amd64)
        #endif
    }
}
