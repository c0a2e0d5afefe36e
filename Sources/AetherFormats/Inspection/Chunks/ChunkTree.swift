import AetherCore

/// The chunks of a RIFF file: WAV, AVI, RF64. Of the samples of AVI the first ones are listed.
struct ChunkTree {
    private let source: InspectedBytes
    private var room = InspectionRoom()
    private var samples = 2000
    /// Of AVI, the kind of the stream whose format comes next.
    private var stream = ""
    /// The size of `data` in a file of RF64.
    private var longSize: Int64?

    init(_ source: InspectedBytes) { self.source = source }

    /// The chunks of the file, in its order.
    static func boxes(_ source: InspectedBytes) -> [InspectedBox] {
        var tree = ChunkTree(source), root = InspectedBox("", offset: 0, size: source.size ?? 0)
        tree.fill(&root, from: 0, to: source.size ?? Int64.max, depth: 0)
        if let last = root.children.indices.last { root.children[last].damage += root.damage }
        return root.children
    }

    private mutating func fill(_ box: inout InspectedBox, from start: Int64, to end: Int64, depth: Int) {
        var offset = start
        while offset < end, room.takeHead() {
            let bytes = source.bytes(at: offset, count: 12)
            guard bytes.count >= 8, end - offset >= 8 else {
                if !bytes.isEmpty, bytes.contains(where: { $0 != 0 }) {
                    box.damage.append("\(bytes.count) bytes after the last chunk")
                }
                return
            }
            let type = BoxName.text(bytes.prefix(4)), isHolder = ["RIFF", "RF64", "LIST", "RIFX"].contains(type)
            let written = Int64(bytes.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) })
            let isLong = written == 0xffff_ffff
            let size = isLong ? longSize.flatMap { type == "data" ? $0 : nil } ?? max(0, end - offset - 8) : written
            var chunk = InspectedBox(
                isHolder && bytes.count == 12 ? BoxName.text(bytes.dropFirst(8)) : type, title: Self.names[type] ?? "",
                offset: offset,
                size: min(8 + size, end - offset), headLength: isHolder ? 12 : 8)
            if size > end - offset - 8 {
                chunk.damage.append("it says \(size) bytes, and \(end - offset - 8) are left")
            }
            if isHolder {
                chunk.title = type
                guard depth < InspectionRoom.depth else {
                    chunk.damage.append(
                        "chunks lie more than \(InspectionRoom.depth) deep in one another: no deeper ones were read")
                    box.children.append(chunk)
                    return
                }
                if size >= 4 { fill(&chunk, from: offset + 12, to: offset + chunk.size, depth: depth + 1) }
            } else {
                read(&chunk)
            }
            if isListed(chunk) { box.children.append(chunk) } else { box.unlisted += 1 }
            // Chunks begin at even places.
            let (behind, overflows) = offset.addingReportingOverflow(8 + size + (size & 1))
            guard !overflows, behind > offset else { return }
            offset = behind
        }
    }

    /// Samples of AVI are named `00dc`, `01wb`: of those the first ones.
    private mutating func isListed(_ chunk: InspectedBox) -> Bool {
        guard chunk.title.isEmpty, chunk.type.prefix(2).allSatisfy(\.isNumber) else { return room.take() }
        samples -= 1
        return samples >= 0
    }

    private mutating func read(_ chunk: inout InspectedBox) {
        let size = chunk.size - 8
        guard size > 0, chunk.type != "data", chunk.type != "JUNK" else { return }
        if chunk.title.isEmpty, chunk.type.prefix(2).allSatisfy(\.isNumber) { return }
        let bytes = source.bytes(at: chunk.offset + 8, count: Int(min(size, 4096)))
        var reader = FieldReader(bytes, size: size)
        switch chunk.type {
        case "fmt ": ChunkFields.wave(&reader)
        case "fact": reader.little("samples", 4)
        case "ds64":
            reader.little("riff_size", 8, unit: "bytes")
            longSize = Int64(min(reader.little("data_size", 8, unit: "bytes"), 1 << 60))
            reader.little("samples", 8)
        case "avih": ChunkFields.movie(&reader)
        case "strh": stream = ChunkFields.stream(&reader)
        case "strf": if stream == "auds" { ChunkFields.wave(&reader) } else { ChunkFields.bitmap(&reader) }
        case "idx1":
            reader.table("entries", count: UInt64(reader.left / 16), stride: 16) { row in
                row.fourLetters("ckid")
                row.little("dwFlags", 4) { $0 & 0x10 != 0 ? "key frame" : "" }
                row.little("dwChunkOffset", 4)
                row.little("dwChunkLength", 4, unit: "bytes")
            }
        case "bext":
            reader.text("Description", bytes: min(256, reader.rest.count))
            for (name, count) in [
                ("Originator", 32), ("OriginatorReference", 32), ("OriginationDate", 10), ("OriginationTime", 8),
            ] {
                reader.text(name, bytes: count)
            }
            reader.little("TimeReference", 8, unit: "samples")
        case _ where chunk.type.hasPrefix("I") || ["strn", "DISP"].contains(chunk.type): reader.text("text")
        default: reader.remainder("data")
        }
        (chunk.fields, chunk.damage) = (reader.fields, chunk.damage + reader.damage)
    }

    private static let names = [
        "RIFF": "RIFF", "fmt ": "Format", "data": "Samples", "fact": "Fact", "avih": "Main Header", "strh": "Stream Header",
        "strf": "Stream Format", "idx1": "Index", "indx": "OpenDML Index", "JUNK": "Padding", "bext": "Broadcast Extension",
        "ds64": "64-bit Sizes",
        "INAM": "Title", "IART": "Artist", "ICMT": "Comment", "ISFT": "Software", "ICRD": "Date", "IGNR": "Genre",
        "IPRD": "Product",
        "strn": "Stream Name", "dmlh": "OpenDML Header", "vprp": "Video Properties", "cue ": "Cue Points", "smpl": "Sampler",
        "LIST": "List", "id3 ": "ID3",
    ]
}
