import AetherCore
import AetherTestSupport
import Foundation
import Glibc
import Testing

/// A display of X11 on which libva opens the driver of Tests/VideoAcceleration: a device of VA-API without a GPU. Ends with its owner.
final class TrialDevice {
    /// The compiled driver's folder; or why there is none.
    private static let driver: Result<TemporaryFolder, MissingPart> = build()
    private let display: String
    private let server: Pty

    /// A part of the machine that is not there.
    struct MissingPart: Error, CustomStringConvertible { let description: String }

    /// The reason for which tests are skipped; nil where all is there.
    static var obstacle: String? {
        if find("Xvfb") == nil { return "Xvfb is not installed: scripts/setup.sh test" }
        switch driver {
        case .success: return nil
        case .failure(let part): return part.description
        }
    }

    /// Starts a display.
    init() throws {
        server = try Pty(["sh", "-c", "exec Xvfb -displayfd 1 -screen 0 320x240x24 -nolisten tcp 2> /dev/null"])
        // It says its number when it is ready, and nothing where it does not start.
        guard server.waitForText("\n", within: .seconds(60)) else { throw MissingPart(description: "Xvfb did not start") }
        display = ":\(server.text.filter(\.isNumber))"
    }

    deinit {
        // It takes its socket away.
        server.signal(SIGTERM)
        _ = server.waitForEnd(within: .seconds(60))
    }

    /// The environment in which the device is the first one that FFmpeg finds. A machine's own render nodes come before it, and its driver has
    /// none of them.
    func environment(_ switches: [String: String] = [:]) throws -> [String: String] {
        let folder = try Self.driver.get().url.path
        return ["DISPLAY": display, "LIBVA_DRIVERS_PATH": folder, "LIBVA_DRIVER_NAME": "trial"].merging(switches) { $1 }
    }

    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func build() -> Result<TemporaryFolder, MissingPart> {
        guard let compiler = ["cc", "gcc", "clang"].compactMap(find).first else {
            return .failure(MissingPart(description: "no C compiler"))
        }
        guard FileManager.default.fileExists(atPath: "/usr/include/va/va_backend.h") else {
            return .failure(MissingPart(description: "libva-dev is not installed: scripts/setup.sh test"))
        }
        do {
            let folder = try TemporaryFolder()
            let source = Shared.checkout.appending(path: "Tests/VideoAcceleration/trial_va_driver.c").path
            let command = try Command([
                compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o",
                folder.path("trial_drv_video.so"), source, "-lavcodec", "-lavutil", "-lpthread",
            ])
            guard command.status == 0 else { return .failure(MissingPart(description: command.standardError)) }
            return .success(folder)
        } catch {
            return .failure(MissingPart(description: "\(error)"))
        }
    }
}
