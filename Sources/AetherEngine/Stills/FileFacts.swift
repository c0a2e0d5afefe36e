public import AetherCore
import AetherMedia
public import AetherSources

/// The facts of a file by which a person chooses it, without decoding any of it.
public struct FileFacts: Sendable, Equatable {
    /// The length; nil where the file does not state it.
    public var duration: TimeSpan?
    /// Pixels of the video as it is shown, upright; nil without one.
    public var size: PixelSize?
    /// The tags' title and artist, safe to display; "" without tags.
    public var title = "", artist = ""

    /// Facts that are known.
    public init(duration: TimeSpan? = nil, size: PixelSize? = nil, title: String = "", artist: String = "") {
        (self.duration, self.size, self.title, self.artist) = (duration, size, title, artist)
    }

    /// Opens a file and reads its head. Blocks on the file system, until the turn is dropped; nil where it is no media.
    public init?(of location: MediaLocation, turn: RequestTurn) {
        let interrupt = Interrupt()
        turn.onDrop { interrupt.raise() }
        do throws(MediaError) {
            let demuxer = try Demuxer(MediaInput(.location(location), interrupt: interrupt), interrupt: interrupt)
            let info = demuxer.info, video = info.streams.first { $0.kind == .video }
            duration = info.duration
            size = video.flatMap { video in
                video.size.map {
                    video.orientation.turn.swapsAxes ? PixelSize(width: $0.height, height: $0.width) : $0
                }
            }
            title = DisplayText.singleLine(info.metadata.title ?? "", limit: 200)
            artist = DisplayText.singleLine(info.metadata.artist ?? "", limit: 80)
        } catch {
            return nil
        }
    }
}
