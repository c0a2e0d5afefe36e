import AetherCore
import AetherMedia
import AetherOptions
import ArgumentParser
import Glibc

/// Decodes the first packets and says whether the frames of a source can be played.
struct SWDecode: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "swdecode", abstract: translated("Decode some packets and give a verdict."),
            discussion: translated("Exit status: 0 healthy, 1 opened but no frames, 2 open failed."))
    }

    @Option(help: .translated("Packets to read; 0 for all."))
    var frames = 100

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var argument: SourceArgument

    func validate() throws {
        if frames < 0 { throw ValidationError(translated("--frames must not be negative")) }
    }

    mutating func run() throws {
        var result = SoftwareDecodeProbeResult()
        do throws(MediaError) {
            result = SoftwareDecodeProbe.run(
                try argument.input(), options: argument.network.opening(), maxPackets: frames)
        } catch {
            result.openError = error.description
        }
        printSafely(json ? result.json.report : text(result))
        if result.verdict != .healthy { throw ExitCode(Int32(result.verdict.rawValue)) }
    }

    private func text(_ result: SoftwareDecodeProbeResult) -> String {
        switch result.verdict {
        case .openFailed: return translated("open failed: \(result.openError ?? "")")
        case .noFrames:
            let tail = result.firstError.map { ": \($0)" } ?? ""
            return translated(
                "no frames: \(result.codecName) opened, \(result.packetsFedToDecoder) of \(result.packetsRead) packets fed\(tail)"
            )
        case .healthy:
            let rate = result.fps.map { translated(", \(Int($0.rounded())) frames/s") } ?? ""
            let format = "\(result.firstFramePixelFormat ?? "?") \(result.firstFrameWidth)x\(result.firstFrameHeight)"
            let tail = result.firstError.map { "; \($0)" } ?? ""
            return translated(
                "healthy: \(result.codecName) \(format), \(result.framesDecoded) frames from \(result.packetsFedToDecoder) of \(result.packetsRead) packets"
            ) + rate + tail
        }
    }
}
