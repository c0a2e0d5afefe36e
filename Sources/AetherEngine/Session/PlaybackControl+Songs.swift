import AetherCore

/// The songs of a radio station.
extension PlaybackControl {
    /// 500 songs are more than a day.
    private static let songLimit = 500

    /// Another one is played. It is told once, and is the title from now on.
    mutating func take(song title: String) {
        guard !title.isEmpty, songs.last != title else { return }
        songs = Array((songs + [title]).suffix(Self.songLimit))
        let songs = songs
        publish { state in
            state.snapshot.songs = songs
            let former = state.snapshot.metadata
            state.snapshot.metadata = MediaMetadata(
                title: title, album: former.album, year: former.year, artworkData: former.artworkData)
        }
        if songs.count > 1 { notice(title) }
    }
}
