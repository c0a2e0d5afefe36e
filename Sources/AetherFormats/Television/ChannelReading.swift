import AetherCore

/// One pass over the bytes of a list of channels: where each begins and ends, its groups and its number.
struct ChannelReading {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    /// The first line that speaks of the next channel.
    private var start: Int?
    private var hasInfo = false
    /// `tvg-chno` of the next channel.
    private var number: UInt32 = 0
    /// The groups of the next channel where its own line names them, and those of `#EXTGRP`, which hold until the next such line.
    private var ownSet: UInt32?
    private var setOfGroup: UInt32 = 0
    /// Bytes of the names that were read last: most channels are in the group of the one before.
    private var lastTitle = 0..<0
    private var lastSet: UInt32 = 0
    private var setOfTitle: [String: UInt32] = [:]
    private var numberOfGroup: [String: Int] = [:]
    /// Streams without an end (`#EXTINF:-1` and a network address), and others.
    private var endless = 0, others = 0
    private var isEndless = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Reads to the end, or to the first line that says that it is no list of channels.
    mutating func run(_ list: inout ChannelList) {
        while let line = nextLine() {
            guard !line.isEmpty else { continue }
            guard bytes[line.lowerBound] == UInt8(ascii: "#") else {
                guard take(address: line, &list) else { return }
                continue
            }
            if ChannelLine.hasPrefix(bytes, line, "#EXT-X-") {
                list.isStream = true
                return
            }
            tag(line, &list)
        }
        // Two or more endless network streams and nothing else: radio lists say no more than that.
        if others == 0, endless >= 2 { list.hasMark = true }
    }

    /// The next line without spaces at its ends; ends of lines are LF, CR or both.
    private mutating func nextLine() -> Range<Int>? {
        guard place < bytes.count else { return nil }
        let begin = place
        while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D { place += 1 }
        let end = place
        place += 1
        return ChannelLine.trimmed(bytes, begin..<end)
    }

    private mutating func tag(_ line: Range<Int>, _ list: inout ChannelList) {
        if ChannelLine.hasPrefix(bytes, line, "#EXTM3U") { return header(line.lowerBound + 7..<line.upperBound, &list) }
        guard line.count <= ChannelList.lineLimit else { return }
        start = start ?? line.lowerBound
        if ChannelLine.hasPrefix(bytes, line, "#EXTINF:") {
            info(line.lowerBound + 8..<line.upperBound, &list)
        } else if ChannelLine.hasPrefix(bytes, line, "#EXTGRP:") {
            let title = ChannelLine.trimmed(bytes, line.lowerBound + 8..<line.upperBound)
            setOfGroup = set(of: title, &list)
            list.hasMark = true
        } else if ChannelLine.hasPrefix(bytes, line, "#KODIPROP:") {
            list.hasMark = true
        }
    }

    private mutating func header(_ line: Range<Int>, _ list: inout ChannelList) {
        let words = ChannelLine(bytes, line, hasDuration: false)
        func text(_ key: StaticString) -> String { words.value(key, in: bytes).map { ChannelText.text(bytes, $0) } ?? "" }
        for key: StaticString in ["x-tvg-url", "url-tvg", "tvg-url"] {
            for address in text(key).split(whereSeparator: { $0 == "," || $0 == " " }) where list.guides.count < 8 {
                let address = String(address)
                if !list.guides.contains(address), address.utf8.count <= 4096 { list.guides.append(address) }
            }
        }
        list.common.guideShift = Channel.seconds(hours: text("tvg-shift")) ?? list.common.guideShift
        list.common.catchup = text("catchup").isEmpty ? text("catchup-type") : text("catchup")
        list.common.catchupSource = text("catchup-source")
        list.common.catchupDays = text("catchup-days")
        list.common.catchupCorrection = text("catchup-correction")
        if !words.attributes.isEmpty { list.hasMark = true }
    }

    private mutating func info(_ line: Range<Int>, _ list: inout ChannelList) {
        hasInfo = true
        let words = ChannelLine(bytes, line, hasDuration: true)
        isEndless = words.duration.first.map { bytes[$0] == UInt8(ascii: "-") || bytes[$0] == UInt8(ascii: "0") } ?? false
        number = words.value("tvg-chno", in: bytes).flatMap { Self.number(bytes[$0]) } ?? 0
        ownSet = nil
        for word in words.attributes {
            if ChannelLine.isEqual(bytes, word.key, "group-title") {
                if !word.value.isEmpty { ownSet = set(of: word.value, &list) }
                list.hasMark = true
            } else if !list.hasMark {
                list.hasMark =
                    ChannelLine.hasPrefix(bytes, word.key, "tvg-") || ChannelLine.hasPrefix(bytes, word.key, "catchup")
                    || ChannelLine.isEqual(bytes, word.key, "timeshift") || ChannelLine.isEqual(bytes, word.key, "radio")
            }
        }
    }

    private static func number(_ digits: some Sequence<UInt8>) -> UInt32? {
        var value: UInt32 = 0, isEmpty = true
        for digit in digits {
            guard (0x30...0x39).contains(digit), value < 1_000_000 else { return isEmpty ? nil : value }
            value = value * 10 + UInt32(digit - 0x30)
            isEmpty = false
        }
        return isEmpty ? nil : value
    }

    private mutating func take(address line: Range<Int>, _ list: inout ChannelList) -> Bool {
        defer { (start, hasInfo, isEndless, number, ownSet) = (nil, false, false, 0, nil) }
        guard line.count <= ChannelList.lineLimit, line.upperBound <= Int(UInt32.max),
            !bytes[line].contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return true }
        if hasInfo, isEndless, isNetwork(line) { endless += 1 } else { others += 1 }
        let first = start.map { line.upperBound - $0 <= 4 * ChannelList.lineLimit ? $0 : line.lowerBound } ?? line.lowerBound
        return list.append(
            ChannelList.Entry(
                start: UInt32(first), end: UInt32(line.upperBound), groups: ownSet ?? setOfGroup, number: number))
    }

    /// `scheme://`.
    private func isNetwork(_ line: Range<Int>) -> Bool {
        guard let colon = bytes[line].prefix(12).firstIndex(of: UInt8(ascii: ":")), colon + 2 < line.upperBound else {
            return false
        }
        return bytes[colon + 1] == UInt8(ascii: "/") && bytes[colon + 2] == UInt8(ascii: "/")
    }

    // MARK: - Groups

    /// The set of groups that a title names; several stand between semicolons.
    private mutating func set(of title: Range<Int>, _ list: inout ChannelList) -> UInt32 {
        if title.count == lastTitle.count, bytes[title].elementsEqual(bytes[lastTitle]) { return lastSet }
        let text = ChannelText.text(bytes, title)
        let found = setOfTitle[text] ?? made(text, &list)
        (lastTitle, lastSet) = (title, found)
        return found
    }

    private mutating func made(_ title: String, _ list: inout ChannelList) -> UInt32 {
        guard list.sets.count < ChannelList.groupLimit else { return 0 }
        var numbers: [Int] = []
        for part in title.split(separator: ";") {
            let name = DisplayText.singleLine(String(part), limit: 100)
            guard !name.isEmpty else { continue }
            if let number = numberOfGroup[name] {
                if !numbers.contains(number) { numbers.append(number) }
            } else if list.groups.count < ChannelList.groupLimit, numbers.count < 16 {
                numberOfGroup[name] = list.groups.count
                numbers.append(list.groups.count)
                list.groups.append(name)
            }
        }
        guard !numbers.isEmpty else { return 0 }
        list.sets.append(numbers)
        let made = UInt32(list.sets.count - 1)
        setOfTitle[title] = made
        return made
    }
}
