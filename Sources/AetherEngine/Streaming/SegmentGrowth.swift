import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Synchronization

/// Asks for the further parts of segments that are being made, while a run of them is read. One thread grows it; it may be looked at from any.
final class SegmentGrowth: Sendable {
    private struct State {
        var playlist: GrowingPlaylist
        var hasNews = false
    }
    private let state: Mutex<State>
    private let address: StreamAddress
    private let reading: PlaylistReading
    private let time: any TimeSource

    /// Goes on from a playlist, at an address.
    init(_ playlist: GrowingPlaylist, at address: StreamAddress, by reading: PlaylistReading, time: any TimeSource) {
        state = Mutex(State(playlist: playlist))
        (self.address, self.reading, self.time) = (address, reading, time)
    }

    /// The segment by now, once it is whole or has more parts than `count`; nil where it has gone. Blocks. Throws as a reader does.
    func segment(_ number: Int64, beyond count: Int) throws(IOReaderError) -> Segment? {
        while true {
            var playlist = state.withLock { $0.playlist }
            guard let segment = PartedSegments(playlist.list).segment(number) else { return nil }
            if !segment.isOpen || segment.parts.count > count { return segment }
            do throws(MediaError) {
                defer { state.withLock { [playlist] in ($0.playlist, $0.hasNews) = (playlist, true) } }
                try playlist.renew(at: address, by: reading, time: time)
            } catch {
                if error.code == .interrupted { throw .cancelled }
                Log.module("net").warning("\(error)")
                guard playlist.refresh.state != .stalled else { throw .network(NetworkFault(.brokeOff)) }
            }
        }
    }

    /// The part that comes next, where it is a file of its own: what was announced may be asked for before it is there.
    var hint: StreamAddress? {
        state.withLock { state in
            let hints = state.playlist.list.preloadHints
            return hints.first { !$0.isMap && $0.offset == 0 && $0.length == nil }?.address
        }
    }

    /// The playlist, where it was read again since this was asked last.
    func takeNews() -> GrowingPlaylist? {
        state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews ? state.playlist : nil
        }
    }
}
