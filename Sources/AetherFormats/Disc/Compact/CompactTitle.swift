public import AetherCore

/// A title of a compact disc: a track of video, or all tracks of audio one behind the other.
public struct CompactTitle: Sendable, Equatable, Identifiable {
    /// A mark within it: a song, or an entry of a video.
    public struct Chapter: Sendable, Equatable {
        /// Safe to display; "" for none.
        public let name: String
        /// Of audio counted from the title's start, of video on its own clock.
        public let start: MediaTime

        /// A chapter.
        public init(name: String, start: MediaTime) { (self.name, self.start) = (name, start) }
    }
    /// The number by which a person calls it, from 1.
    public let id: Int
    /// Whether it is audio alone.
    public let isAudio: Bool
    /// Safe to display; "" for none.
    public let name: String
    /// Its data in the order of playing.
    public let runs: [SectorRun]
    /// nil where the data does not say.
    public let duration: TimeSpan?
    /// In the order of their times.
    public let chapters: [Chapter]

    /// A title.
    public init(id: Int, isAudio: Bool, name: String, runs: [SectorRun], duration: TimeSpan?, chapters: [Chapter]) {
        (self.id, self.isAudio, self.name) = (id, isAudio, name)
        (self.runs, self.duration, self.chapters) = (runs, duration, chapters)
    }

    /// Samples a second, and bytes of one of both channels.
    public static let sampleRate: Int32 = 44_100, sampleSize: Int64 = 4
    private static let base = TimeBase(1, sampleRate)
    /// A header of RIFF counts to 4 GiB: six hours.
    private static let audioLimit = Int64(UInt32.max) - 4096

    /// All audio tracks, gapless. A pause (index 00) belongs to the track before it; before the first track, and behind one of data, there
    /// is none to play it. nil where there is no audio.
    public init?(id: Int, audioOf sheet: CueSheet, _ map: TrackMap) {
        var runs: [SectorRun] = [], chapters: [Chapter] = [], count: Int64 = 0
        func append(_ run: SectorRun) {
            guard run.count > 0, run.count < Self.audioLimit - count else { return }
            runs.append(run)
            count += run.count
        }
        var follows = false
        for place in map.places {
            guard place.layout.content == .audio else {
                follows = false
                continue
            }
            let track = sheet.tracks[place.track]
            if follows {
                append(SectorRun(file: place.file, from: place.pause, to: place.start, layout: place.layout))
                append(SectorRun(silence: track.pregap))
            }
            let start = MediaTime(ticks: count / Self.sampleSize, in: Self.base)
            chapters.append(Chapter(name: Self.name(track, of: sheet), start: start))
            append(SectorRun(file: place.file, from: place.start, to: place.end, layout: place.layout))
            append(SectorRun(silence: track.postgap))
            follows = true
        }
        guard count > 0 else { return nil }
        let nanoseconds = Self.base.nanoseconds(ticks: count / Self.sampleSize)
        self.init(
            id: id, isAudio: true, name: sheet.title, runs: runs, duration: TimeSpan(nanoseconds: nanoseconds), chapters: chapters
        )
    }

    private static func name(_ track: SheetTrack, of sheet: CueSheet) -> String {
        let title = track.title.isEmpty ? "Track \(track.number)" : track.title
        return track.performer.isEmpty || track.performer == sheet.performer ? title : "\(track.performer) – \(title)"
    }
}
