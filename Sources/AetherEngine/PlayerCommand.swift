public import AetherCore

/// How exactly a seek lands.
public enum SeekPrecision: Sendable, Equatable {
    /// On the last key frame at or before the target when that is near, else exactly: the fastest picture.
    case keyframe
    /// As `keyframe` at first, and then, unless another seek is wanted by that time, as `exact`: for keys that are held.
    case refined
    /// On the frame that is on screen at the target.
    case exact
}

/// Everything one can ask of a player. Keys, command lines and tests all say the same words; they are carried out in order.
public enum PlayerCommand: Sendable, Equatable {
    case play
    case pause
    case togglePlayPause
    /// To a point of the source axis.
    case seek(to: MediaTime, SeekPrecision)
    /// From the pending target or else the current position.
    case skip(by: TimeSpan, SeekPrecision)
    /// To a fraction of the duration, 0 … 1.
    case seekToFraction(Double)
    /// One frame on (+1) or back (-1); pauses.
    case stepFrame(Int)
    /// Chapters on or back. Back goes to the start of the present chapter first when that is over 3 s ago.
    case stepChapter(Int)
    /// The first time where a loop begins, the second where it ends, the third no loop any more.
    case markLoop
    /// Whether a film that ends while it plays begins again by itself, with its marks and all that was chosen. What has sound alone and what
    /// cannot seek ends as ever. Counts for the present source.
    case setRepeating(Bool)
    case setRate(Double)
    /// 0 … 1.5; 1 is the file's own level.
    case setVolume(Double)
    case setMuted(Bool)
    case setEqualizer(EqualizerCurve)
    /// Sound later (or earlier, negative) than the file says, −10...10 s. The clock glides there; more than 1 s at once is a seek to here.
    case setAudioDelay(TimeSpan)
    /// To another ALSA PCM, by name; where it does not open, `default` takes its place.
    case setAudioDevice(String)
    case selectAudioTrack(TrackID)
    /// Another programme of the source, with its picture, sound and subtitles; playing goes on at the same point of its time.
    case selectTitle(Int)
    /// Another picture of the same source; playing goes on where it is.
    case selectVideoTrack(TrackID)
    /// The cover of a song anew, where one is shown: the surface has another size. Films follow by themselves.
    case redrawCover
    /// nil: no subtitles.
    case selectSubtitleTrack(TrackID?)
    /// A second track, shown at the top; nil: none.
    case selectSecondarySubtitleTrack(TrackID?)
    /// Subtitles so much later than the file says, earlier where it is negative; at most an hour.
    case setSubtitleDelay(TimeSpan)
    /// How large letters drawn in pixels are, 0.25 … 4 of the file's own, and how much higher than usual lines at the bottom stand, in
    /// percent of the picture.
    case setSubtitleLook(scale: Double, position: Double)
    /// Where pictures lie, and which colours they have. A standing picture follows at once.
    case setPictureLook(PictureLook)
    /// Reads subtitles from another file or URL and shows them.
    case addSubtitles(ExternalSubtitleTrack)
}
