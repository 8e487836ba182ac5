internal import CLinux
internal import Linux
internal import Media

/// The privileges that a child gives up before it reads the first byte of media. The renderer prepares this once, and
/// every child applies it.
struct Confinement {
    /// The layers that this machine lacks, described for people; empty is best.
    let notes: [String]

    private let root: BareRoot?
    private let rules: FileRules?
    private let filter: SystemCallFilter?
    private let limits: ChildLimits?

    /// Prepares every layer that the kernel has; the process must have one thread.
    ///
    /// - Throws: `unavailable` if the kernel has a layer that cannot be prepared: no file is opened with less
    ///   confinement than the machine offers.
    init(of rendererClass: RendererClass, by layers: ConfinementLayers = .all) throws(Failure) {
        var notes: [String] = []
        do throws(SystemError) {
            let folders = rendererClass.readableFolders
            rules = layers.contains(.fileRules) ? try Self.rules(reading: folders, notes: &notes) : nil
            filter = layers.contains(.systemCalls) ? try Self.filter(of: rendererClass, notes: &notes) : nil
            root = layers.contains(.namespaces) ? Self.root(holding: folders, notes: &notes) : nil
            limits = layers.contains(.limits) ? ChildLimits(readsFiles: !folders.isEmpty) : nil
            notes += layers.leftOut.map { "NO \($0): left out" }
        } catch {
            throw Failure(.unavailable, detail: "confinement: \(error)")
        }
        self.notes = notes
    }

    /// The first half, while the renderer's descriptors are still open: drops privileges, and all paths except the
    /// class's folders.
    ///
    /// - Parameter parent: the process whose exit also ends this one.
    /// - Returns: values that the second half needs and can no longer determine.
    func leaveFileSystem(endingWith parent: pid_t) throws(SystemError) -> ChildLimits.Beginning {
        clinux_leave_root(UserMaps.nobody)
        let beginning = ChildLimits.Beginning(isSeparate: root?.separateUser() ?? false)
        try attribute(PR_SET_PDEATHSIG, UInt(SIGKILL))
        // The parent may have died before the line above.
        if getppid() != parent { _exit(1) }
        try root?.enter()
        try checking("capset") { clinux_drop_capabilities() }
        try attribute(PR_SET_NO_NEW_PRIVS, 1)
        try rules?.enforce()
        return beginning
    }

    /// The second half, when only the task's descriptors are left. It forbids the user's other processes to trace this
    /// one, sets the limits, and loads the filter with the class's list of system calls.
    ///
    /// The filter comes last: it forbids the calls that set up the other layers.
    func narrow(
        to limits: Limits, since beginning: ChildLimits.Beginning, note: ForbiddenCallNote
    ) throws(SystemError) {
        try attribute(PR_SET_DUMPABLE, 0)
        try self.limits?.apply(limits, since: beginning)
        try note.install()
        try filter?.load()
    }

    private func attribute(_ option: Int32, _ value: UInt) throws(SystemError) {
        try checking("prctl") { clinux_prctl(option, value, 0, 0, 0) }
    }
}

// Each layer if the machine has it; otherwise a note for people.
extension Confinement {
    private static func root(holding folders: [String], notes: inout [String]) -> BareRoot? {
        do throws(SystemError) {
            return try BareRoot(holding: folders)
        } catch {
            notes.append("NO NAMESPACES: \(error)")
            return nil
        }
    }

    private static func rules(reading folders: [String], notes: inout [String]) throws(SystemError) -> FileRules? {
        guard let version = FileRules.version else {
            notes.append("NO FILE RULES: this kernel has no Landlock, or has it switched off")
            return nil
        }
        return try FileRules(reading: folders, version: version)
    }

    private static func filter(
        of rendererClass: RendererClass, notes: inout [String]
    ) throws(SystemError) -> SystemCallFilter? {
        if let note = Architecture.thisBuild.filterNote {
            notes.append(note)
            return nil
        }
        // EINVAL: a kernel without seccomp.
        if clinux_prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0 {
            notes.append("NO SYSTEM CALL FILTER: this kernel has no seccomp")
            return nil
        }
        return try SystemCallFilter(SystemCallRule.all(for: rendererClass))
    }
}
