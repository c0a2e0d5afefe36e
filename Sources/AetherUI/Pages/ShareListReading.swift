import AetherCore
import AetherFormats
import AetherSources

/// The reading of what lies at an address on a share that is no media: a folder's media files, or what a playlist names. Blocks on the server.
struct ShareListReading {
    /// The receiver of the answer.
    let turn: RequestTurn

    /// The outcome of a reading.
    enum Find: Equatable {
        /// The media files of a folder, in natural order, or the disc that it is; and the names of the folders in it.
        case folder([Playlist.Item], folders: [String])
        case playlist([Playlist.Item])
        case channels(ChannelList)
    }

    /// Reads it; nil where it is neither. `address`: the same, with name and password, of which nothing goes into the items. Throws what the
    /// server says.
    func read(_ url: String, at address: String) throws(IOReaderError) -> Find? {
        guard let name = RemotePath.parts(of: url)?.name, let format = PlaylistDocument.Format(fileName: name) else {
            return try folder(url, at: address)
        }
        let reader = try ShareReader(address)
        defer { reader.close() }
        turn.onDrop { reader.cancel() }
        let bytes = try reader.bytes(limit: ChannelList.sizeLimit + 1)
        if format == .m3u {
            let channels = ChannelList(bytes)
            if channels.isChannels { return .channels(channels) }
        }
        let document = PlaylistDocument(Array(bytes.prefix(PlaylistDocument.sizeLimit)), format: format)
        return document.isStream ? nil : .playlist(document.entries.compactMap { Self.item($0, of: url) })
    }

    private func folder(_ url: String, at address: String) throws(IOReaderError) -> Find {
        let folder = ShareFolder(address), shown = ShareFolder(url)
        turn.onDrop { folder.cancel() }
        let contents = try folder.contents(
            limit: PlaylistDocument.entryLimit, includesHidden: false,
            where: { DirectoryListing.isMediaName($0) || DiscLayout.isList($0) })
        if let list = DiscLayout.list(among: contents.entries.map { ($0.name, $0.isDirectory) }) {
            let address = ([shown.address] + list.map(ShareFolder.reference)).joined(separator: "/")
            return .folder(
                [Playlist.Item(location: .url(address), title: MediaLocation.url(shown.address).displayName)], folders: [])
        }
        let files = contents.entries.filter { !$0.isDirectory && DirectoryListing.isMediaName($0.name) }
        return .folder(
            files.map { Playlist.Item(location: shown.location(of: $0.name)) },
            folders: contents.entries.filter(\.isDirectory).map(\.name))
    }

    /// An entry of a list at an address: a name there is a file's name and no reference, with whatever letters. It leads to no file of this
    /// machine, and out of no share.
    static func item(_ entry: PlaylistDocument.Entry, of list: String) -> Playlist.Item? {
        let location: MediaLocation
        switch MediaLocation.parse(entry.location) {
        case .standardInput: return nil
        case .url(let url):
            guard HTTPReader.opens(url) || ShareReader.opens(url) || url.hasPrefix("rt") || url.hasPrefix("udp:") else {
                return nil
            }
            location = .url(url)
        case .file(let written):
            guard let folder = RemotePath.parts(of: list)?.folder else { return nil }
            let names = (written.contains("/") ? written : written.replacing("\\", with: "/")).split(separator: "/")
            guard !written.hasPrefix("/"), !names.isEmpty, !names.contains("..") else { return nil }
            location = .url(folder + names.filter { $0 != "." }.map { ShareFolder.reference(String($0)) }.joined(separator: "/"))
        }
        return Playlist.Item(location: location, title: Redaction.text(entry.title), start: entry.start, end: entry.end)
    }
}
