import AetherCore
import AetherMedia
import AetherOptions
import ArgumentParser
import Glibc

/// Lists the packets of a source as the container delivers them.
struct Packets: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(abstract: translated("List the packets: stream, PTS, DTS, duration, key, size."))
    }

    @OptionGroup var argument: SourceArgument

    mutating func run() throws {
        var demuxer = try open()
        print("stream\tpts\tdts\tduration\tkey\tsize")
        do throws(MediaError) {
            while true { print(line(try demuxer.read(epoch: Epoch()))) }
        } catch {
            if error.code != .endOfMedia { throw fail(error, ExitStatus.playbackFailed) }
        }
    }

    private func open() throws -> Demuxer {
        do throws(MediaError) {
            return try Demuxer(try argument.input(), options: argument.network.opening(.full), interrupt: Interrupt())
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }

    /// Times are ticks of the stream's time base with the seconds behind them; `-` where the container says nothing.
    private func line(_ packet: Packet) -> String {
        func time(_ ticks: Int64?, _ time: MediaTime?) -> String {
            guard let ticks, let time else { return "-" }
            return "\(ticks) (\(fixed(time.nanoseconds)))"
        }
        let duration = packet.duration.map { "\(packet.durationTicks) (\(fixed($0.nanoseconds)))" } ?? "-"
        return [
            "\(packet.stream.number)", time(packet.ptsTicks, packet.pts), time(packet.dtsTicks, packet.dts), duration,
            packet.isKey ? "key" : "-", "\(packet.byteCount)",
        ].joined(separator: "\t")
    }
}

/// Seconds with six decimals, exact.
func fixed(_ nanoseconds: Int64) -> String {
    let micro = (nanoseconds.magnitude + 500) / 1000
    let fraction = String(1_000_000 + micro % 1_000_000).dropFirst()
    return "\(nanoseconds < 0 ? "-" : "")\(micro / 1_000_000).\(fraction)"
}
