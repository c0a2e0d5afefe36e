import AetherCore

/// A list of television or radio channels in the M3U form of IPTV, kept as it came: 16 bytes a channel beside the bytes of the list. Texts are
/// made for the channels that are asked for. Pure and bounded; nothing is opened.
public struct ChannelList: Sendable, Equatable {
    /// Places in the bytes.
    struct Entry: Sendable, Equatable {
        /// From the first line that speaks of the channel to the end of its address.
        let start, end: UInt32
        /// Into `sets`.
        let groups: UInt32
        /// `tvg-chno`; 0 for none.
        let number: UInt32
    }

    let bytes: [UInt8]
    private(set) var entries: [Entry] = []
    /// The groups, in the order in which the list names them; safe to display.
    public internal(set) var groups: [String] = []
    /// The groups of channels that are in the same ones, as numbers of groups.
    var sets: [[Int]] = [[]]
    /// Addresses of guides that the list names, as they are written; at most eight.
    public internal(set) var guides: [String] = []
    /// Values for channels that state no others.
    var common = ChannelDefaults()
    /// Something in it says that it lists channels.
    var hasMark = false
    /// The document is one stream in segments (HLS, RFC 8216): to be played, not to be listed.
    public internal(set) var isStream = false
    /// More was there than is kept.
    public internal(set) var isCut = false

    /// 200 000 channels: twice the largest list that was seen.
    public static let channelLimit = 200_000
    /// 96 MiB of a list are looked at.
    public static let sizeLimit = 96 << 20
    /// Groups of a list.
    static let groupLimit = 20_000
    /// The longest line that is looked at, in bytes.
    static let lineLimit = 16 << 10

    /// Reads a list; lines that are not understood are left out.
    public init(_ bytes: [UInt8]) {
        isCut = bytes.count > Self.sizeLimit
        let kept = isCut ? Array(bytes.prefix(Self.sizeLimit)) : bytes
        // Places are counted in bytes of ASCII's letters.
        self.bytes = PlaylistDocument.utf16(kept).map { Array($0.utf8) } ?? kept
        let list = self.bytes
        list.withUnsafeBufferPointer { buffer in
            var reading = ChannelReading(buffer)
            reading.run(&self)
        }
        if isStream { (entries, groups, sets, guides) = ([], [], [[]], []) }
    }

    /// Whether a document is a list of channels: an M3U that is no HLS and says something that only lists of channels say, or lists nothing but
    /// endless network streams.
    public var isChannels: Bool { !isStream && hasMark && !entries.isEmpty }

    /// The number of channels.
    public var count: Int { entries.count }

    /// Takes a channel in; false where no more are taken.
    mutating func append(_ entry: Entry) -> Bool {
        guard entries.count < Self.channelLimit else {
            isCut = true
            return false
        }
        entries.append(entry)
        return true
    }

    // MARK: - One channel

    /// A channel in full. `index`: from 0.
    public func channel(_ index: Int) -> Channel {
        bytes.withUnsafeBufferPointer { buffer in
            Channel(ChannelBlock(buffer, entries[index]), groups: groupNumbers(of: index).map { groups[$0] }, common)
        }
    }

    /// The name of a channel, safe to display; never empty.
    public func name(_ index: Int) -> String {
        bytes.withUnsafeBufferPointer { buffer in ChannelBlock(buffer, entries[index]).shownName }
    }

    /// The number that the list gives a channel, or else its place from 1.
    public func number(_ index: Int) -> Int { entries[index].number > 0 ? Int(entries[index].number) : index + 1 }

    /// The channel with a number: one that states the number, else the one at that place.
    public func index(ofNumber number: Int) -> Int? {
        if number > 0, let named = entries.firstIndex(where: { $0.number == number }) { return named }
        return entries.indices.contains(number - 1) ? number - 1 : nil
    }

    /// The groups that a channel is in, as places in `groups`.
    public func groupNumbers(of index: Int) -> [Int] {
        let set = Int(entries[index].groups)
        return sets.indices.contains(set) ? sets[set] : []
    }

    /// The channels of a group, in order.
    public func channels(inGroup group: Int) -> [Int] {
        let wanted = sets.map { $0.contains(group) }
        return entries.indices.filter { wanted[Int(entries[$0].groups)] }
    }

    /// The address of a channel as it is written, without the options behind `|`.
    public func address(_ index: Int) -> String {
        bytes.withUnsafeBufferPointer { buffer in ChannelBlock(buffer, entries[index]).address.text }
    }

    /// The words by which a guide knows a channel: its `tvg-id`, and the names that it has.
    public func guideWords(_ index: Int) -> (id: String, names: [String]) {
        bytes.withUnsafeBufferPointer { buffer in
            let block = ChannelBlock(buffer, entries[index])
            let named = block.value("tvg-name").map { block.text($0) } ?? ""
            let shown = block.text(block.line.name)
            return (block.value("tvg-id").map { block.text($0) } ?? "", [named, shown].filter { !$0.isEmpty })
        }
    }

    /// Seconds that the guide's times are late for a channel (`tvg-shift`, or the list's value where the channel has none).
    public func guideShift(_ index: Int) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            let block = ChannelBlock(buffer, entries[index])
            return Channel.seconds(hours: block.value("tvg-shift").map { block.text($0) }) ?? common.guideShift
        }
    }
}

/// Values in the first line of a list that hold for all its channels.
struct ChannelDefaults: Sendable, Equatable {
    var guideShift = 0
    var catchup = "", catchupSource = "", catchupDays = "", catchupCorrection = ""
}
