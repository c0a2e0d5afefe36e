import AetherCore
import CFFmpeg

@testable import AetherMedia

/// The answers of a box, which a captured worker may have written: descriptions of sources, packets, frames, subtitles, layers and errors are within
/// their bounds, or nothing. The first byte says which of them it is.
func fuzzBoxAnswers(_ input: UnsafeBufferPointer<UInt8>) {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch kind % 6 {
    case 0:
        checkSource(bytes)
        if let report = ContainerReport(record: bytes) { precondition(ContainerReport(record: report.record) == report) }
    case 1: checkPacket(bytes)
    case 2: checkFrame(bytes)
    case 3: checkSubtitles(bytes)
    case 4: checkLayer(bytes)
    default:
        let error = ErrorRecord.error(bytes)
        precondition(!error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
        _ = ErrorRecord.readerError(bytes)
    }
}

/// A box that opens nothing.
private final class EmptyBox: MediaBox {
    let isStrict = true
    let cpuSeconds = 0.0
    func endSpares() {}

    func isSound() -> Bool { true }

    private var refusal: MediaError { MediaError(.unsupported, "open in a box") }

    func openSource(_ bytes: BoxedBytes, name: String, options: OpenOptions) throws(MediaError) -> any BoxedDemuxing {
        throw refusal
    }

    func openVideo(
        _ parameters: CodecParameters, threadCount: Int, effort: DecodeEffort
    ) throws(MediaError) -> any BoxedDecoding { throw refusal }

    func openAudio(_ parameters: CodecParameters) throws(MediaError) -> any BoxedDecoding { throw refusal }
}

private func isSafe(_ text: String) -> Bool { DisplayText.singleLine(text, limit: .max) == text }

private func checkSource(_ bytes: [UInt8]) {
    guard let info = SourceRecord.info(bytes, box: EmptyBox()) else { return }
    precondition(isSafe(info.container) && info.tags.allSatisfy { isSafe($0.key) && isSafe($0.value) })
    for (place, stream) in info.streams.enumerated() {
        precondition(stream.index == place && stream.sampleAspect.isSane && isSafe(stream.codecName))
        if let track = stream.track { precondition(isSafe(track.name) && track.channels >= 0) }
        if let size = stream.size { precondition(size.width > 0 && size.height > 0) }
    }
    _ = info.fontAttachments
}

private func checkPacket(_ bytes: [UInt8]) {
    var shelf = PacketShelf()
    // A payload may lie apart: here in the record itself.
    let packet = bytes.withUnsafeBytes { apart in
        PacketRecord.boxed(bytes, apart: apart, epoch: Epoch(), in: &shelf) {
            Packet.StreamName(id: StreamID(source: 0, number: $0), format: 0)
        }
    }
    guard let packet else { return }
    precondition(packet.byteCount <= bytes.count && (0..<1024).contains(packet.stream.number))
    precondition(PacketRecord.bytes(of: packet) != nil)
}

/// Memory for a frame. The pointer is set once, and only one thread looks at it.
private final class Place: FrameSlot {
    nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)

    init() { memory.initializeMemory(as: UInt8.self, repeating: 9) }

    deinit { memory.deallocate() }
}

private func checkFrame(_ bytes: [UInt8]) {
    let place = Place()
    guard let frame = FrameRecord.frame(bytes, in: place), let start = place.memory.baseAddress else { return }
    let raw = frame.pointer.pointee, end = start + place.memory.count
    for plane in [raw.data.0, raw.data.1, raw.data.2, raw.data.3] {
        guard let plane else { continue }
        precondition(UnsafeMutableRawPointer(plane) >= start && UnsafeMutableRawPointer(plane) < end)
    }
    precondition((FrameRecord.room(for: frame) ?? .max) <= place.memory.count)
}

private func checkSubtitles(_ bytes: [UInt8]) {
    var record = RecordReader(bytes)
    let subtitles = SubtitleRecord.subtitles(&record)
    guard record.isWhole else { return }
    for subtitle in subtitles {
        precondition(subtitle.lines.allSatisfy { DisplayText.printable($0) == $0 })
        if let placement = subtitle.placement { precondition((1...9).contains(placement.alignment)) }
        guard case .image(let image) = subtitle.body else { continue }
        precondition(image.image.pixels.count == image.width * image.height)
    }
    var again = RecordWriter()
    SubtitleRecord.put(subtitles, to: &again)
    var reader = RecordReader(again.bytes)
    precondition(SubtitleRecord.subtitles(&reader) == subtitles && reader.isWhole)
}

private func checkLayer(_ bytes: [UInt8]) {
    guard case .layer(let layer?) = ScriptRecord.drawn(bytes, within: PixelSize(width: 64, height: 36)) else { return }
    precondition(layer.x >= 0 && layer.y >= 0 && layer.x + layer.image.width <= 64 && layer.y + layer.image.height <= 36)
}
