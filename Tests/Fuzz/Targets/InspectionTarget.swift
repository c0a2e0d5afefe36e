import AetherCore
import AetherFormats

/// The inspectors: whatever the file, they end, list a bounded number of parts that lie in it, and every word of them is safe.
func fuzzInspection(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    for isFrugal in [false, true] {
        var reads = 0
        let source = InspectedBytes(size: Int64(bytes.count), isFrugal: isFrugal) { offset, count in
            reads += 1
            precondition(offset >= 0 && count > 0 && count <= 16 << 20)
            let from = Int(clamping: min(offset, Int64(bytes.count)))
            return Array(bytes[from..<min(bytes.count, from + count)])
        }
        guard let inspection = ContainerInspection(source) else { continue }
        let count = inspection.boxes.reduce(0) { $0 + $1.count }
        precondition(count <= 60_000 && reads <= 40 * bytes.count + 1000)
        for box in inspection.boxes {
            check(box, end: Int64(bytes.count))
            for line in box.lines() { precondition(!line.unicodeScalars.contains(where: DisplayText.isUnsafe)) }
            _ = box.json(depth: 3).line
        }
        precondition(inspection.find("*/*[0]") != nil)
    }
    if let list = MovieSamples.list(InspectedBytes(bytes)) {
        precondition(list.rows.count <= SampleList.limit)
        for row in list.rows.prefix(1000) { _ = list.json(row).line }
        _ = SampleSums.all(list)
    }
    for codec in ["h264", "hevc", "av1", "vp9", "aac"] {
        var inspection = CodecInspection(stream: 0, codec: codec, header: bytes)
        inspection.take(bytes)
        for line in inspection.lines { precondition(!line.unicodeScalars.contains(where: DisplayText.isUnsafe)) }
    }
}

private func check(_ box: InspectedBox, end: Int64) {
    precondition(box.offset >= 0 && box.size >= 0 && box.offset <= end)
    for child in box.children { check(child, end: end) }
}
