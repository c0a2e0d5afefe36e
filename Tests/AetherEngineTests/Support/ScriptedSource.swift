import AetherCore
import AetherMedia
import AetherTestSupport

@testable import AetherEngine

/// A source of packets that follows a script: a packet of each stream every so many milliseconds, key frames where it says.
final class ScriptedSource: PacketSource {
    /// A call to the source, in order.
    enum Call: Equatable {
        case seek(MediaTime)
        case read
    }
    private(set) var calls: [Call] = []
    private(set) var selected: Set<StreamID>?
    private let index: Int
    private let step: Int
    private let length: Int
    /// Milliseconds between key frames: a seek lands on one.
    private let keys: Int
    private var position = 0
    private var hasMoved = false
    /// The end is not that of the source.
    var breaksOff = false
    /// Where the next read is broken off by the session's interrupt, once.
    var interruptsAt: Int?
    /// Where its times begin anew, told once.
    var seam: (at: Int, seams: TimelineSeams)?
    let description: SourceDescription
    var window: SourceWindow { description.window }
    var bytesFetched: Int64 { 0 }
    var damageCount: Int { 0 }

    /// A source of one stream, number 0.
    init(_ index: Int, describedBy info: SourceInfo, step: Int, length: Int, keys: Int = 1) {
        (self.index, self.step, self.length, self.keys) = (index, step, length, keys)
        description = SourceDescription(info, traits: .file)
    }

    func select(_ streams: Set<StreamID>) { selected = streams }

    func read(run: Epoch) throws(MediaError) -> SourceEvent {
        calls.append(.read)
        if interruptsAt == position {
            interruptsAt = nil
            throw MediaError(.interrupted, "read packet")
        }
        if let told = seam, told.at == position {
            seam = nil
            return .discontinuity(source: index, told.seams)
        }
        guard position < length else {
            throw breaksOff
                ? MediaError(.readFailed, "play all of", reason: "the source broke off: read error")
                : MediaError(.endOfMedia, "read packet")
        }
        defer { position += step }
        do {
            return .packet(
                try packet(stream: 0, of: index, pts: Int64(position), epoch: run.number, isKey: position % keys == 0))
        } catch {
            throw MediaError(.internalFailure, "make packet")
        }
    }

    func seek(to plan: SeekPlan, video: StreamID?) throws(MediaError) -> Bool {
        calls.append(.seek(plan.demuxTarget))
        let wanted = Int(plan.demuxTarget.nanoseconds / 1_000_000)
        defer { hasMoved = true }
        if wanted <= 0, !hasMoved { return false }
        position = max(0, wanted / keys * keys / step * step)
        return true
    }
}
