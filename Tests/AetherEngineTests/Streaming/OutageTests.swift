import AetherCore
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherMedia
@testable import AetherSources

/// A server that is gone while something is read, or a forwarder before one that is gone, and comes back. The outage is counted in attempts that failed, not in time: there are no
/// pauses between them. That those last for more than a minute is held by the ladder's own tests.
@Suite struct OutageTests {
    /// As many as come in three minutes of the ladder's pauses.
    private static let refusals = 25

    private static var options: HTTPOptions {
        var options = HTTPOptions()
        options.reading.first = .zero
        // Less than the files: what is held must end before they do.
        options.ringSize = 64 << 10
        return options
    }

    /// Comes back when it was asked for in vain often enough.
    private final class Outage: Sendable {
        private let origin: TestOrigin
        private let isForwarded: Bool
        private let returned = Atomic(false)

        init(_ origin: TestOrigin, isForwarded: Bool) {
            self.origin = origin
            self.isForwarded = isForwarded
        }

        func begin() { if isForwarded { origin.hangUp() } else { origin.leave() } }

        var isOver: Bool { returned.load(ordering: .relaxed) }

        var meter: NetworkMeter {
            NetworkMeter { [self] news in
                guard case .reconnecting(let attempt?) = news, attempt.number >= OutageTests.refusals,
                    !returned.exchange(true, ordering: .relaxed)
                else { return }
                if isForwarded { origin.pickUp() } else { origin.comeBack() }
            }
        }
    }

    @Test(
        arguments: [SegmentedVideo.Shape.transport, .fragments, .ciphered, .dashNumbers].map { ($0, false) }
            + [(SegmentedVideo.Shape.transport, true)])
    func aStreamLosesNoFrame(_ shape: SegmentedVideo.Shape, isForwarded: Bool) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let outage = Outage(origin, isForwarded: isForwarded)
        let source = try StreamReading.open(
            .url(origin.address + "/" + shape.manifest), http: Self.options, meter: outage.meter)
        let streams = source.description.info.streams
        let video = try #require(streams.first { $0.kind == .video }?.id)
        let audio = try #require(streams.first { $0.kind == .audio }?.id)
        source.select([video, audio])
        var times: [MediaTime] = [], samples = TimeSpan.zero
        reading: while true {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()) else { continue }
                if packet.stream == audio { samples = samples + (packet.duration ?? .zero) }
                guard packet.stream == video, let time = packet.pts else { continue }
                times.append(time)
                // In the second segment of four: the first one is asked for with the patience of an opening, and may still be on its way.
                if times.count == 30 { outage.begin() }
            } catch {
                if error.code == .endOfMedia { break reading }
                throw error
            }
        }
        #expect(outage.isOver && times.count == 100 && Set(times).count == 100 && source.damageCount == 0, "\(times.count)")
        let whole = try StreamReading(.url(origin.address + "/" + shape.manifest))
        #expect(samples == whole.audio.reduce(TimeSpan.zero) { $0 + $1.span })
    }
}
