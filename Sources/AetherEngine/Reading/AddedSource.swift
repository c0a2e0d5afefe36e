import AetherCore
import AetherMedia
import AetherSources

/// A source that is read beside the one that was opened.
struct AddedSource: Sendable, Equatable {
    let track: ExternalAudioTrack
    /// A person has asked for it: it is heard as soon as it is there.
    var isWanted = false

    /// Safe to display.
    var name: String { track.location.displayName }

    /// The part of the source that is played: its audio, named as asked for.
    func described(_ info: SourceInfo) -> SourceInfo {
        var info = info
        info.streams = info.streams.filter { $0.kind == .audio && $0.isDecodable }.map { stream in
            stream.renamed(
                track.name ?? (stream.track?.name.isEmpty ?? true ? name : nil),
                language: stream.track?.language ?? track.language)
        }
        return info
    }
}
