public import AetherCore

/// The precision of a seek.
public enum SeekPrecision: Sendable, Equatable {
    /// The seek lands on the last key frame at or before the target when that is near, else exactly: the fastest first frame.
    case keyframe
    /// As `keyframe` at first, and then, unless another seek is wanted by that time, as `exact`: for keys that are held.
    case refined
    /// The seek lands on the frame that is on screen at the target.
    case exact
}

/// All commands of a player. Keys, command lines and tests use the same ones; they are carried out in order.
public enum PlayerCommand: Sendable, Equatable {
    /// Plays on; at the end from the start.
    case play
    /// Stands still where the clock is; the frame stays.
    case pause
    /// Toggles the intended play state, even during a seek.
    case togglePlayPause
    /// A seek to a point of the source axis.
    case seek(to: MediaTime, SeekPrecision)
    /// A seek from the pending target or else the current position.
    case skip(by: TimeSpan, SeekPrecision)
    /// A seek to a fraction of the duration, 0 … 1.
    case seekToFraction(Double)
    /// Seeks to the live edge of a broadcast; does nothing in a source that is complete.
    case seekToLiveEdge
    /// Steps one frame on (+1) or back (-1); pauses.
    case stepFrame(Int)
    /// Chapters on or back. Back goes to the start of the present chapter first when that is over 3 s ago.
    case stepChapter(Int)
    /// Seeks to the beginning of a chapter, by its `id`; one that the source does not have changes nothing.
    case selectChapter(Int)
    /// The first time where a loop begins, the second where it ends, the third no loop any more.
    case markLoop
    /// Whether a video that ends while it plays begins again by itself, with its marks, tracks and settings. Audio alone, and a source that
    /// cannot seek, ends as ever. Counts for the present source.
    case setRepeating(Bool)
    /// Another value of a setting. A standing frame follows at once; the clock glides to another audio delay, and more than 1 s at once is
    /// a seek to here. NaN changes nothing; a value out of range is brought inside.
    case set(SettingChange)
    /// Changes to another ALSA PCM, by name; where that does not open, `default` takes its place.
    case setAudioDevice(String)
    /// Another audio track, from the present position on; a track that the source does not have changes nothing.
    case selectAudioTrack(TrackID)
    /// Another program of the source, with its video, audio and subtitles; playing goes on at the same point of its time.
    case selectTitle(Int)
    /// A wish in the menus of a disc; where there is no menu, nothing but the wish for one does anything.
    case menu(DiscMenuCommand)
    /// Another video track of the same source; playing goes on where it is.
    case selectVideoTrack(TrackID)
    /// Another quality of a source in segments, by its `id`, at a border of segments or at once. nil: the player chooses.
    case selectVariant(MediaVariant.ID?, VariantTurn = .atBorder)
    /// Draws the cover of a song anew, where one is shown, because the surface has another size. Videos follow by themselves.
    case redrawCover
    /// Selects a subtitle track; nil: no subtitles.
    case selectSubtitleTrack(TrackID?)
    /// Selects a second track, shown at the top; nil: none.
    case selectSecondarySubtitleTrack(TrackID?)
    /// Reads subtitles from another file or URL and shows them.
    case addSubtitles(ExternalSubtitleTrack)
    /// Takes a track that came from another file out of the list; one that is shown is shown no more. Nothing happens for others.
    case removeSubtitles(TrackID)
    /// Reads another page of teletext as subtitles, 100 … 899; nil: those that are marked as such.
    case setTeletextPage(Int?)
    /// Plays the audio of another file or URL with the source.
    case addAudio(ExternalAudioTrack)
    /// Records the playing media from a point on; from the frame on screen where no point is given. Another recording ends.
    case startRecording(RecordingOrder)
    /// Ends the recording.
    case stopRecording
}
