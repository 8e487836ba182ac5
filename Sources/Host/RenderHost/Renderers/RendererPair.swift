internal import Linux
internal import Media

/// The two renderers of a class. One has stand-ins for unused libraries. The other has every library: for retries, for
/// sources that need another library, and for machines whose stand-ins are missing or out of date.
struct RendererPair: Sendable {
    private let rendererClass: RendererClass
    private let programs: RendererPrograms
    private let withStandIns: RendererSupervisor
    private let withAllLibraries: RendererSupervisor

    init(
        _ rendererClass: RendererClass, of programs: RendererPrograms, requiresSandbox: Bool,
        within capacity: HostCapacity
    ) {
        self.rendererClass = rendererClass
        self.programs = programs
        withStandIns = RendererSupervisor(
            rendererClass, usesStandIns: true, of: programs, requiresSandbox: requiresSandbox, within: capacity)
        withAllLibraries = RendererSupervisor(
            rendererClass, usesStandIns: false, of: programs, requiresSandbox: requiresSandbox, within: capacity)
    }

    /// Both supervisors.
    var supervisors: [RendererSupervisor] { [withStandIns, withAllLibraries] }

    /// The renderer that serves a task.
    ///
    /// A renderer with stand-ins serves while it runs; a new one gets them only if they match the machine's libraries.
    func supervisor(withAllLibraries needsAll: Bool = false) -> RendererSupervisor {
        guard !needsAll, let standIns = programs.standIns(for: rendererClass),
            withStandIns.isRunning || standIns.fit
        else { return withAllLibraries }
        return withStandIns
    }

    /// The build of a renderer that is or was ready; a renderer that has served its only task counts too.
    var knownBuild: RendererBuild? { supervisors.lazy.compactMap { $0.process?.build }.first }

    /// The number of processes that replaced one that had died.
    var restartCount: Int { supervisors.reduce(0) { $0 + $1.restartCount } }
}
