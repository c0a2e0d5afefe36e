import AetherCore

/// The entries that a document of a web server lists: entries of a playlist, or files of a folder. Recognised by content; a playlist of HLS
/// is none. Pure and bounded. Addresses in it are absolute, and lead to no file of this machine.
public enum WebList: Sendable, Equatable {
    /// The entries of an M3U, PLS, XSPF or cue sheet.
    case playlist([PlaylistDocument.Entry])
    /// The channels of an IPTV list.
    case channels(ChannelList)
    /// The page of a folder at this address, whose path ends in a slash.
    case folder(WebIndex, StreamAddress)

    /// The number of bytes that tell whether a document may be a list.
    public static let headLength = 4096
    /// 8 MB of a list are looked at: 100 000 addresses.
    static let listLimit = 8 << 20
    /// Lists of channels are larger.
    public static let sizeLimit = ChannelList.sizeLimit

    /// Whether a document that begins so may be a list; the end of its name counts only where its content does not decide.
    public static func mayBegin(_ head: [UInt8], at address: StreamAddress) -> Bool {
        WebIndex.isIndex(head.prefix(headLength)) || format(head, address) != nil
    }

    /// Reads a document. `allowsOther`: addresses of other protocols than http and https are taken, too; no check keeps those from leading
    /// into private networks. nil for a document that is no list.
    public init?(_ document: [UInt8], at address: StreamAddress, allowsOther: Bool = false) {
        if let index = WebIndex(document, at: address) {
            guard let folder = address.resolved(".") else { return nil }
            self = .folder(index, folder)
            return
        }
        if Self.format(Array(document.prefix(Self.headLength)), address) == .m3u {
            let channels = ChannelList(document)
            if channels.isChannels {
                self = .channels(channels)
                return
            }
        }
        let bytes = Array(document.prefix(Self.listLimit))
        guard let format = Self.format(bytes, address), !(format == .m3u && Self.isStream(bytes)) else { return nil }
        self = .playlist(
            PlaylistDocument(bytes, format: format).entries.compactMap { entry in
                var entry = entry
                // A sheet names files, and no addresses.
                let location = format == .cue ? Self.reference(entry.location) : entry.location
                guard let target = Self.target(of: location, in: address, allowsOther: allowsOther) else { return nil }
                entry.location = target.text
                return entry
            })
    }

    /// The address that a list at another one names; nil where lists may not lead there.
    public static func target(of location: String, in address: StreamAddress, allowsOther: Bool) -> StreamAddress? {
        // Lists from Windows have the other slash.
        let reference = location.contains("/") ? location : location.replacing("\\", with: "/")
        return address.resolved(reference).flatMap { isOpened($0, allowsOther) ? $0 : nil }
    }

    /// A name of a file as a part of an address: with codes for the signs that end or change its path.
    private static func reference(_ name: String) -> String {
        name.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23").replacing(":", with: "%3A")
    }

    private static let other: Set<String> = [
        "ftp", "ftps", "sftp", "rtmp", "rtmps", "rtsp", "rtsps", "rtp", "udp", "srt", "mms", "mmsh",
    ]

    private static func isOpened(_ address: StreamAddress, _ allowsOther: Bool) -> Bool {
        !address.host.isEmpty && (["http", "https"].contains(address.scheme) || allowsOther && other.contains(address.scheme))
    }

    private static func format(_ head: [UInt8], _ address: StreamAddress) -> PlaylistDocument.Format? {
        let head = PlaylistDocument.utf16(head).map { Array($0.utf8) } ?? head
        let body = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        let text = String(decoding: body.drop { $0 <= 0x20 }.prefix(1024), as: UTF8.self).lowercased()
        if text.hasPrefix("#extm3u") { return .m3u }
        if text.hasPrefix("[playlist]") { return .pls }
        if text.hasPrefix("<") { return text.contains("<playlist") && text.contains("xspf.org") ? .xspf : nil }
        // Without a mark it is a list of lines, if its name says so and it is text.
        let name = address.cleanPath.split(separator: "/").last.map(String.init) ?? ""
        guard let format = PlaylistDocument.Format(fileName: name), format != .xspf,
            format != .cue || CueSheet.isSheet(Array(body)),
            !body.prefix(headLength).contains(where: { $0 < 0x09 })
        else { return nil }
        return format
    }

    /// Whether an M3U is one of HLS (RFC 8216): its own tags begin so.
    private static func isStream(_ bytes: [UInt8]) -> Bool {
        bytes.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
            line.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "#EXT-X-".utf8)
        }
    }
}
