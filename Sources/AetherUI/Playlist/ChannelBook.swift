import AetherCore
import AetherFormats
import AetherSources

/// A list of channels and where it came from: makes of each channel what is played. A value; copies share the list.
public struct ChannelBook: Sendable, Equatable {
    let list: ChannelList
    /// The path or address of the list; not safe to display.
    let source: String
    /// The rules for what a list of a web server names; nil: it is a file.
    var document: Provenance?
    /// Addresses of other protocols than http and https are taken, too.
    var allowsOther = true
    /// Tells one reading of a list from the next.
    private let shared: Shared

    /// The identity of a list: made once for each list, and shared by its copies.
    private final class Shared: Sendable {}

    init(_ list: ChannelList, source: String, document: Provenance? = nil, allowsOther: Bool = true) {
        (self.list, self.source, self.document, self.allowsOther) = (list, source, document, allowsOther)
        shared = Shared()
    }

    /// Two are equal that are the same reading of one list.
    public static func == (a: ChannelBook, b: ChannelBook) -> Bool { a.shared === b.shared }

    /// A channel as an item to play; nil where its address leads nowhere that a list may lead to.
    func item(_ index: Int) -> Playlist.Item? {
        guard list.count > index, index >= 0 else { return nil }
        let channel = list.channel(index)
        return item(channel, at: channel.address, ticket: ChannelTicket(channel, index: index))
    }

    /// A past programme of a channel as an item to play; nil where the list does not say how past programmes are requested. Times are
    /// seconds since 1970.
    func pastItem(_ index: Int, _ programme: GuideProgramme, now: Int64) -> Playlist.Item? {
        guard list.count > index, index >= 0 else { return nil }
        let channel = list.channel(index)
        // The guide's times may be shifted against the server's.
        let shift = Int64(channel.guideShift)
        guard
            let address = channel.catchup?.address(
                of: channel.address, from: programme.start - shift, to: min(programme.stop, now) - shift, now: now)
        else { return nil }
        var ticket = ChannelTicket(channel, index: index)
        ticket.past = programme
        var item = item(channel, at: address, ticket: ticket)
        item?.title = "\(channel.name): \(programme.title)"
        return item
    }

    private func item(_ channel: Channel, at address: String, ticket: ChannelTicket) -> Playlist.Item? {
        guard var item = located(address) else { return nil }
        item.title = channel.name
        item.channel = ticket
        return item
    }

    private func located(_ address: String) -> Playlist.Item? {
        guard RemotePath.isWeb(source), let base = StreamAddress(source) else {
            let folder = source.lastIndex(of: "/").map { String(source[...$0]) } ?? ""
            return Playlist.item(PlaylistDocument.Entry(location: address), in: folder)
        }
        guard let target = WebList.target(of: address, in: base, allowsOther: allowsOther) else { return nil }
        var item = Playlist.Item(location: .url(target.text))
        (item.document, item.depth) = (document, 1)
        return item
    }

    /// The address of a channel's logo on a web server; nil where it has none, or one to which the list may not lead.
    func logo(_ index: Int) -> String? {
        guard index >= 0, index < list.count else { return nil }
        let written = list.channel(index).logo
        guard RemotePath.isWeb(source), let base = StreamAddress(source) else { return RemotePath.isWeb(written) ? written : nil }
        return written.isEmpty ? nil : WebList.target(of: written, in: base, allowsOther: false)?.text
    }

    /// The addresses of guides that the list names, as they are opened.
    var guides: [String] {
        list.guides.compactMap { written in
            if RemotePath.isWeb(written) { return written }
            if RemotePath.isWeb(source) { return StreamAddress(source)?.resolved(written)?.text }
            if written.hasPrefix("/") { return written }
            return written.contains("://") ? nil : (source.lastIndex(of: "/").map { String(source[...$0]) } ?? "") + written
        }
    }

    /// The word by which a channel is remembered as a favourite: no part of its address, which may hold a password.
    func memoryKey(_ index: Int) -> String {
        let words = list.guideWords(index)
        return String((words.id + "\u{1F}" + list.name(index)).prefix(300))
    }
}
