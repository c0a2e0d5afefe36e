import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// News from the stages to the control task. Each carries its epoch: what an older one says is ignored.
enum StageEvent: Sendable {
    /// A server that is read is getting on, or was lost for the moment.
    case network(NetworkMeter.News)
    /// The first bytes have come: the header is read.
    case sourceOpened
    /// The source is open and its streams are known.
    case opened(SourceDescription)
    /// The source is described anew: a stream was added, or has another format.
    case described(SourceDescription)
    /// The window that can be gone to has moved.
    case window(SourceWindow)
    /// The next packets have expired; the oldest packets that are left begin at this point.
    case expired(to: MediaTime)
    /// A live source has begun anew: another encoder, other numbers or another clock. What it gives follows on what was there.
    case sourceReset
    /// The source cannot be played at all.
    case openFailed(MediaError)
    /// The stage has its first output of the epoch at this point and waits for the clock.
    case primed(StageKind, Epoch, MediaTime)
    /// The first frame of the epoch lies behind its target: this plan begins further back.
    case fellShort(Epoch, SeekPlan)
    /// The epoch landed on a key frame, and not where it was asked to. Before `.primed`.
    case landedOnKey(Epoch)
    /// The stage has put out everything it will of this epoch, and it has been seen or heard; `at` is where it ended.
    case finished(StageKind, Epoch, at: MediaTime?)
    /// The demuxer may not read on although a selected stream has nothing queued.
    case blocked(Epoch)
    /// Audio ran dry while the clock ran.
    case starved(Epoch)
    /// Video ran dry while it drove the clock; `at` is the end of the last frame. And: there are enough frames again.
    case videoStarved(Epoch, at: MediaTime)
    case videoRestored(Epoch)
    /// A selected stream cannot be decoded; the others go on.
    case lost(StageKind, Epoch, MediaError)
    /// The reader has come to an end that is not that of the source, and why; nil: it reads again, from somewhere else.
    case brokeOff(MediaError?)
    /// The device that audio goes to from now on; without a device it passes unheard.
    case audioOutput(AudioOutputRoute)
    /// Frames tell more of how their brightness is coded than the container did.
    case videoFormat(VideoFormat, Epoch)
    /// Frames of this epoch are transparent in part.
    case transparent(Epoch)
    /// The first frame of an epoch was handed to the surface.
    case firstFrame(Epoch, MediaTime)
    /// A frame was shown although the clock stands.
    case stepped(Epoch, MediaTime)
    /// Tracks of subtitles that the source did not declare. `isWanted`: they were asked for, and are shown.
    case subtitlesFound([TrackInfo], isWanted: Bool, in: ExternalSubtitleTrack?)
    /// Other subtitles are on screen than a moment ago, without the clock's doing.
    case cuesChanged
    /// The source is a disc with menus. Where they lead already, it is opened where they have led to.
    case navigator(any MenuNavigator)
    /// Buttons of a disc have come, or their time is over.
    case menu(MenuBoard.News)
    /// Another page of teletext is read; the cues of the one before are gone.
    case teletextTurned
    /// All pages of teletext that were met.
    case teletextPages([TeletextPage])
    /// The present and the next programme, by the numbers of the programs of a transport stream.
    case programmes([Int: NowNext])
    /// A radio station plays another song.
    case song(String)
    /// The cover that the host knows of has come: an image file.
    case coverFetched([UInt8])
    /// The reader has given everything there is.
    case readToEnd
    /// The queued audio of the next source is lost: it must begin anew.
    case successorSpoilt
    /// Something for the person watching.
    case notice(String)
}

/// The stages that put something out.
enum StageKind: Sendable, Hashable { case audio, video }
