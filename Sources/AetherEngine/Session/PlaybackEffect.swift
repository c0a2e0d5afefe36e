import AetherCore

/// An effect that the control task carries out.
enum PlaybackEffect: Sendable, Equatable {
    /// Empty everything and begin again at the plan.
    case begin(Epoch, SeekPlan)
    /// Let the clock of the audio run, or stop it where it is.
    case runAudio(Bool)
    /// Let the monotonic clock run at the rate from a point, or from where it stands (nil).
    case runMonotonic(from: MediaTime?, rate: Double)
    /// Stop the monotonic clock at a point, or where it is (nil).
    case holdMonotonic(at: MediaTime?)
    /// Play so much faster than the person wishes, to keep the distance from the end of a broadcast.
    case keepDistance(rate: Double)
    /// A setting has another value, within its range.
    case set(SettingChange)
    case showNextFrame
    /// Another end for what is played now.
    case setEnd(MediaTime?)
    /// Tell the callers that ask what became of a seek.
    case seek(SeekEvent)
    case setAudioDevice(String)
    case selectAudio(TrackID)
    /// As `selectAudio`, within the epoch: the new track joins the clock.
    case switchAudio(TrackID)
    case selectVideo(TrackID)
    case selectVariant(MediaVariant.ID?, VariantTurn)
    case selectTitle(Int)
    case menu(DiscMenuCommand)
    /// The cover of a song for the surface's present size.
    case redrawCover
    case selectSubtitle(TrackID?)
    case selectSecondarySubtitle(TrackID?)
    case loadSubtitles(ExternalSubtitleTrack)
    case removeSubtitles(TrackID)
    case setTeletextPage(Int?)
    case loadAudio(ExternalAudioTrack)
    case startRecording(RecordingOrder)
    case stopRecording
    /// The audio stage is out of play until the next source.
    case dropAudio
    case dropVideo
    case notice(String)
}
