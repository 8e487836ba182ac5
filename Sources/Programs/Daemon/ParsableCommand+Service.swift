package import ArgumentParser
internal import CLinux
internal import Console
internal import Media

extension ParsableCommand {
    /// Runs a service's command line and ends the process with its status: that of a `Failure` or `ExitCode`, or 2 for
    /// a bad call.
    ///
    /// Call it from a `main` that is not `async`: on Linux the main thread of an `async` program blocks no signals, so
    /// SIGTERM would end it.
    package static func runService() -> Never {
        // Larger blocks return to the kernel when freed. By default glibc learns to keep them: 16 MB in each thread's
        // heap.
        _ = clinux_map_memory_from(1 << 20)
        do {
            var command = try parseAsRoot(Process.arguments)
            try command.run()
            _exit(0)
        } catch let failure as Failure {
            let detail = failure.detail.isEmpty ? "" : " [\(failure.detail)]"
            StandardStream.write("\(_commandName): \(failure.message)\(detail)\n", to: 2)
            _exit(failure.exitStatus)
        } catch let status as ExitCode {
            _exit(status.rawValue)
        } catch {
            let isHelp = exitCode(for: error) == .success
            StandardStream.write(fullMessage(for: error) + "\n", to: isHelp ? 1 : 2)
            // ArgumentParser exits with 64 (sysexits.h) for a bad call; most programs exit with 2.
            _exit(isHelp ? 0 : 2)
        }
    }
}
