/// A chapter of the container. It lasts until the next one starts, whatever its own end says: muxers write end == start.
public struct ChapterInfo: Identifiable, Sendable, Equatable {
    /// Tells the chapters of a source apart.
    public let id: Int
    /// The title, safe to display; "" when the file has none.
    public let name: String
    /// The beginning of the chapter, on the source axis.
    public let start: MediaTime
    /// The time to the next chapter, or to the end of the source.
    public let duration: TimeSpan

    /// A chapter.
    public init(id: Int, name: String, start: MediaTime, duration: TimeSpan) {
        self.id = id
        self.name = name
        self.start = start
        self.duration = duration
    }
}

/// Tags of the whole file, safe to display.
public struct MediaMetadata: Sendable, Equatable {
    /// One line each; nil where the file has no such tag.
    public let title, artist, album: String?
    /// The year or date of the recording, and the number in its album, as written.
    public let year, track: String?
    /// The words, of many lines: plain or LRC. Not safe to display as it is.
    public let lyrics: String?
    /// The cover as stored in the file (JPEG, PNG …).
    public let artworkData: [UInt8]?

    /// Tags.
    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, year: String? = nil, track: String? = nil,
        lyrics: String? = nil, artworkData: [UInt8]? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.year = year
        self.track = track
        self.lyrics = lyrics
        self.artworkData = artworkData
    }

    /// The metadata with a title where they have none.
    public func titled(_ other: String?) -> MediaMetadata {
        MediaMetadata(
            title: title ?? other, artist: artist, album: album, year: year, track: track, lyrics: lyrics,
            artworkData: artworkData)
    }

    /// The same with another cover.
    public func covered(by artwork: [UInt8]) -> MediaMetadata {
        MediaMetadata(
            title: title, artist: artist, album: album, year: year, track: track, lyrics: lyrics, artworkData: artwork)
    }
}
