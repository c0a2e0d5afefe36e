/// A title of a Blu-ray disc: a playlist that is no decoy.
public struct BluRayTitle: Sendable, Equatable, Identifiable {
    /// The number by which a person calls it, from 1.
    public let id: Int
    /// The number of the playlist's file.
    public let number: Int
    /// The playlist itself.
    public let playlist: BluRayPlaylist

    /// A title.
    public init(id: Int, number: Int, playlist: BluRayPlaylist) {
        (self.id, self.number, self.playlist) = (id, number, playlist)
    }
}

/// The titles of a Blu-ray disc among its playlists. Discs have hundreds of playlists that play the same, or one clip over and over. Pure.
public struct BluRayTitles: Sendable, Equatable {
    /// By the numbers of their files.
    public private(set) var titles: [BluRayTitle] = []
    /// The title to play where none is named: the longest of those that the disc's own titles play, else the longest; the first of these.
    public private(set) var main: BluRayTitle?

    /// A clip's part that is played more often than this makes a playlist a loop.
    private static let repeatLimit = 2

    /// Playlists by the numbers of their files; the clips that are there; and the playlists that the disc's own titles play.
    public init(_ playlists: [Int: BluRayPlaylist], clips: Set<Int>, named: Set<Int>) {
        var kept: [[BluRayPlaylist.Item]: Int] = [:]
        // The same parts in another order than one that the disc plays are a trap for copiers.
        let stated = Set(
            playlists.filter { named.contains($0.key) && $0.value.items.count > 1 && !Self.isLoop($0.value) }.values.map(
                Self.counts))
        for (number, playlist) in playlists.sorted(by: { $0.key < $1.key }) {
            guard !Self.isLoop(playlist), playlist.items.allSatisfy({ clips.contains($0.clips[0].number) }),
                named.contains(number) || !stated.contains(Self.counts(playlist))
            else { continue }
            guard let former = kept[playlist.items], let other = playlists[former] else {
                kept[playlist.items] = number
                continue
            }
            // Of several that play the same, the one that the disc plays; else the one that says most about it.
            func weight(_ number: Int, _ playlist: BluRayPlaylist) -> (Int, Int, Int) {
                (named.contains(number) ? 1 : 0, playlist.chapters.count, playlist.streams.count)
            }
            if weight(number, playlist) > weight(former, other) { kept[playlist.items] = number }
        }
        for (index, number) in kept.values.sorted().enumerated() {
            guard let playlist = playlists[number] else { continue }
            titles.append(BluRayTitle(id: index + 1, number: number, playlist: playlist))
        }
        let own = titles.filter { named.contains($0.number) }
        main = (own.isEmpty ? titles : own).reduce(nil) { longest, title in
            longest.map { $0.playlist.duration >= title.playlist.duration } ?? false ? longest : title
        }
    }

    private static func isLoop(_ playlist: BluRayPlaylist) -> Bool { counts(playlist).values.contains { $0 > repeatLimit } }

    /// How often each part is played.
    private static func counts(_ playlist: BluRayPlaylist) -> [BluRayPlaylist.Item: Int] {
        playlist.items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
