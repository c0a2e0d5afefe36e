/// The parts of a container, whichever it is.
public struct ContainerInspection: Sendable {
    /// The container.
    public let format: Container
    /// Its outermost parts, in the file's order.
    public let boxes: [InspectedBox]

    /// Looks into a source; nil for an unknown container. Blocks as the bytes do. No more than 50 000 parts are listed.
    public init?(_ source: InspectedBytes) {
        guard let format = Self.format(source) else { return nil }
        self.format = format
        boxes =
            switch format {
            case .isoBMFF: BoxTree.boxes(source)
            case .matroska: ElementTree.boxes(source)
            case .mpegTS: TransportScan.boxes(source)
            case .riff: ChunkTree.boxes(source)
            case .ogg: PageList.boxes(source)
            case .flac: FrameList.flac(source, from: 0)
            case .audioFrames: FrameList.frames(source)
            case .other: []
            }
    }

    /// Beside a container's first bytes: a box that was cut out of one, and frames of MP3 some way into a file.
    private static func format(_ source: InspectedBytes) -> Container? {
        let head = Array(source.bytes(at: 0, count: 1024))
        guard head.count >= 4 else { return nil }
        if let known = Container(head: head), known != .audioFrames || head.starts(with: "ID3".utf8) { return known }
        let letters = head.dropFirst(4).prefix(4)
        if head.count >= 8, letters.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }),
            BoxLayout.find(BoxName.text(letters), BoxLayout.Context()) != nil
        {
            return .isoBMFF
        }
        // Two frames one behind the other are no accident.
        for place in head.indices.prefix(head.count > 512 ? 512 : 1) {
            guard let frame = AudioFrameHead(head[place...]) else { continue }
            if AudioFrameHead(source.bytes(at: Int64(place + frame.size), count: 10)) != nil { return .audioFrames }
        }
        return nil
    }

    /// The parts that a path leads to, such as `moov/trak[1]/mdia`: names from the outermost part on; a name alone means all parts of that
    /// name, a name with a number in brackets the part at that place, from 0 on; `*` is any name. nil: the text is no path.
    public func find(_ path: String) -> [InspectedBox]? { Self.find(path, in: boxes) }

    /// The parts that a path leads to from any outermost parts.
    public static func find(_ path: String, in boxes: [InspectedBox]) -> [InspectedBox]? {
        var found: [InspectedBox]?
        for step in path.split(separator: "/") {
            guard let (name, place) = Self.step(step) else { return nil }
            let candidates = (found.map { $0.map(\.children) } ?? [boxes]).map { $0.filter { name == "*" || $0.type == name } }
            found = candidates.flatMap { list in
                guard let place else { return list }
                return list.indices.contains(place) ? [list[place]] : []
            }
        }
        return found ?? boxes
    }

    private static func step(_ text: Substring) -> (name: String, place: Int?)? {
        guard let open = text.lastIndex(of: "["), text.last == "]" else { return (String(text), nil) }
        guard let place = Int(text[text.index(after: open)...].dropLast()), place >= 0 else { return nil }
        return (String(text[..<open]), place)
    }
}
