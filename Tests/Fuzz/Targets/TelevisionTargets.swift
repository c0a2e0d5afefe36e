import AetherCore
import AetherFormats

/// Lists of channels: whatever is listed has a name, an address of one line, and groups that the list has.
func fuzzChannelList(_ input: UnsafeBufferPointer<UInt8>) {
    let list = ChannelList(Array(input))
    precondition(list.count <= ChannelList.channelLimit)
    for index in 0..<min(list.count, 200) {
        let channel = list.channel(index)
        precondition(channel.name == list.name(index) && !channel.name.isEmpty)
        precondition(DisplayText.singleLine(channel.name, limit: 1000) == channel.name)
        precondition(!channel.address.utf8.contains { $0 < 0x20 } && channel.address == list.address(index))
        precondition(list.groupNumbers(of: index).allSatisfy { list.groups.indices.contains($0) })
        for (name, value) in channel.headers { precondition(!(name + value).utf8.contains { $0 < 0x20 || $0 == 0x7F }) }
        if let past = channel.catchup?.address(of: channel.address, from: 1_700_000_000, to: 1_700_003_600, now: 1_700_010_000) {
            precondition(past.utf8.count <= 8192)
        }
    }
}

/// Guides, as they are and inflated: programmes in order, none over another, all within reach.
func fuzzXMLTV(_ input: UnsafeBufferPointer<UInt8>) {
    let now: Int64 = 1_700_000_000
    let list = ChannelList(Array("#EXTM3U\n#EXTINF:-1 tvg-id=\"one\",One\nhttp://h/1\n#EXTINF:-1,Two\nhttp://h/2\n".utf8))
    var reader = XMLTVReader(GuideLinks(list) { $0.lowercased() }, around: now) { $0.lowercased() }
    let bytes = Array(input)
    if GzipPieces.isGzip(bytes) {
        var pieces = GzipPieces(bytes), total = 0
        // Damage ends it; what came before is read.
        while total < 4 << 20, let piece = try? pieces.next() {
            total += piece.count
            _ = reader.feed(piece)
        }
    } else {
        for start in stride(from: 0, to: bytes.count, by: 100) {
            _ = reader.feed(Array(bytes[start..<min(bytes.count, start + 100)]))
        }
    }
    check(reader.finish(), channels: 2, around: now)
}

/// Tables of programmes in a transport stream.
func fuzzBroadcastGuide(_ input: UnsafeBufferPointer<UInt8>) {
    var events = BroadcastEvents()
    for start in stride(from: 0, to: input.count, by: 500) {
        events.take(Array(input[start..<min(input.count, start + 500)]))
    }
    _ = events.take(section: Array(input)[...])
    for service in events.services {
        let programmes = events.programmes(of: service)
        for (a, b) in zip(programmes, programmes.dropFirst()) { precondition(a.start < b.start && a.stop <= b.start) }
        for programme in programmes { precondition(!programme.title.isEmpty && programme.stop > programme.start) }
    }
}

private func check(_ guide: Guide, channels: Int, around now: Int64) {
    for channel in 0..<channels {
        let programmes = guide.programmes(of: channel)
        for (a, b) in zip(programmes, programmes.dropFirst()) { precondition(a.start < b.start && a.stop <= b.start) }
        for programme in programmes {
            precondition(programme.start <= now + 86_400 && programme.stop > programme.start)
            precondition(DisplayText.singleLine(programme.title, limit: 1000) == programme.title)
        }
        precondition(guide.nowNext(of: channel, at: now) == NowNext(programmes, at: now))
    }
}
