import AetherCore

extension PlayerCommand {
    /// Its name for the report of a crash, without what it was given: that may be a name of a file.
    var crashEvent: StaticString {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .togglePlayPause: "play or pause"
        case .seek: "seek"
        case .skip: "skip"
        case .seekToFraction: "seek to a fraction"
        case .seekToLiveEdge: "seek to the live edge"
        case .stepFrame: "step a frame"
        case .stepChapter: "step a chapter"
        case .selectChapter: "another chapter"
        case .markLoop: "mark a loop"
        case .setRepeating: "repeat"
        case .set: "a setting"
        case .setAudioDevice: "another audio device"
        case .selectAudioTrack: "another audio track"
        case .selectTitle: "another title"
        case .menu: "a menu of the disc"
        case .selectVideoTrack: "another video track"
        case .selectVariant: "another quality"
        case .redrawCover: "draw the cover anew"
        case .selectSubtitleTrack: "another subtitle track"
        case .selectSecondarySubtitleTrack: "a second subtitle track"
        case .addSubtitles: "subtitles from a file"
        case .removeSubtitles: "subtitles of a file removed"
        case .setTeletextPage: "another page of teletext"
        case .addAudio: "audio from a file"
        case .startRecording: "record"
        case .stopRecording: "end the recording"
        }
    }
}
