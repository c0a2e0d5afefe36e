import CFFmpeg

/// Key and vector of Apple's encryption of single frames in MPEG-TS and in files of raw audio (SAMPLE-AES). Secret: no text shows them.
public struct FrameKey: Sendable, CustomStringConvertible, CustomReflectable {
    let key, vector: [UInt8]

    /// Both of 16 bytes; nil for anything else.
    public init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == 16, vector.count == 16 else { return nil }
        (self.key, self.vector) = (key, vector)
    }

    /// Nothing of it.
    public var description: String { "a key" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Decrypts packets by Apple's "MPEG-2 Stream Encryption Format for HTTP Live Streaming": of H.264 the slices in a pattern, of AAC, AC-3 and
/// E-AC-3 the frames behind their first bytes. Each slice and frame begins with the same vector.
struct FrameCipher: ~Copyable {
    private var cipher: SampleCipher
    private let vector: [UInt8]
    /// The encrypted streams, by their numbers.
    private var codecs: [Int32: AVCodecID] = [:]

    /// nil without memory.
    init?(_ key: FrameKey) {
        guard let cipher = SampleCipher(key: key.key) else { return nil }
        self.cipher = cipher
        vector = key.vector
    }

    /// The types by which a transport stream says that a stream is clear: H.264, AAC, AC-3, E-AC-3. Encrypted ones have others, 0xDB, 0xCF,
    /// 0xC1, 0xC2, or a name of four letters beside them.
    private static let clearTypes: Set<UInt32> = [0x1B, 0x0F, 0x11, 0x81, 0x87]
    private static let audio = [AV_CODEC_ID_AAC, AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3]

    /// Learns which streams are encrypted: of a transport stream those whose type says so, of raw audio all.
    mutating func learn(_ context: UnsafeMutablePointer<AVFormatContext>, isTransport: Bool) {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let codec = context.pointee.streams[index]?.pointee.codecpar, codecs[Int32(index)] == nil else { continue }
            let id = codec.pointee.codec_id, isKnown = id == AV_CODEC_ID_H264 || Self.audio.contains(id)
            if isKnown, isTransport ? !Self.clearTypes.contains(codec.pointee.codec_tag) : Self.audio.contains(id) {
                codecs[Int32(index)] = id
            }
        }
    }

    /// Decrypts a packet in place; one of a clear stream stays as it is. Video becomes shorter where its encryption has made it longer.
    mutating func decrypt(_ packet: UnsafeMutablePointer<AVPacket>) {
        guard let codec = codecs[packet.pointee.stream_index], packet.pointee.size > 0, av_packet_make_writable(packet) >= 0,
            let data = packet.pointee.data
        else { return }
        let bytes = UnsafeMutableRawBufferPointer(start: data, count: Int(packet.pointee.size))
        switch codec {
        case AV_CODEC_ID_H264: av_shrink_packet(packet, Int32(video(bytes)))
        case AV_CODEC_ID_AAC: frames(bytes, length: Self.lengthADTS) { $0[1] & 1 == 0 ? 9 : 7 }
        case AV_CODEC_ID_EAC3: frames(bytes, length: Self.lengthEAC3) { _ in 0 }
        default: frames(bytes, length: { $0.count }, head: { _ in 0 })
        }
    }

    // MARK: - Audio

    private static func lengthADTS(_ bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard bytes.count >= 9, bytes[0] == 0xFF, bytes[1] & 0xF0 == 0xF0 else { return nil }
        return Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    }

    private static func lengthEAC3(_ bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard bytes.count >= 4, bytes[0] == 0x0B, bytes[1] == 0x77 else { return nil }
        return ((Int(bytes[2] & 7) << 8 | Int(bytes[3])) + 1) * 2
    }

    /// Each frame: its head and 16 bytes are clear, and so is what is no whole block at its end.
    private mutating func frames(
        _ bytes: UnsafeMutableRawBufferPointer, length: (UnsafeMutableRawBufferPointer) -> Int?,
        head: (UnsafeMutableRawBufferPointer) -> Int
    ) {
        var rest = bytes
        while !rest.isEmpty, let size = length(rest), size > 0 {
            let frame = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(size)), clear = head(frame) + 16
            if frame.count > clear {
                var own = vector
                cipher.unchain(UnsafeMutableRawBufferPointer(rebasing: frame.dropFirst(clear)), &own)
            }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(size))
        }
    }

    // MARK: - Video

    /// Slices of other frames (1) and of key frames (5) with more than 48 bytes are encrypted. Returns the bytes that are left.
    private mutating func video(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        var read = 0, written = 0
        while read < bytes.count {
            let start = Self.unit(bytes, from: read)
            // The start code, and whatever comes before it.
            if start > read { written = Self.move(bytes, read..<start, to: written) }
            guard start < bytes.count else { break }
            let end = Self.nextCode(bytes, from: start)
            let kind = bytes[start] & 31
            if kind == 1 || kind == 5, end - start > 48 {
                written += slice(bytes, start..<end, to: written)
            } else {
                written = Self.move(bytes, start..<end, to: written)
            }
            read = end
        }
        return written
    }

    /// Behind the next start code; the end where there is none.
    private static func unit(_ bytes: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
        let code = nextCode(bytes, from: place)
        guard code < bytes.count else { return bytes.count }
        var start = code
        while start < bytes.count, bytes[start] == 0 { start += 1 }
        return min(start + 1, bytes.count)
    }

    /// The next start code, with the zeros before it: 00 00 01; the end where there is none.
    private static func nextCode(_ bytes: UnsafeMutableRawBufferPointer, from place: Int) -> Int {
        var index = place
        while index + 2 < bytes.count {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                var start = index
                while start > place, bytes[start - 1] == 0 { start -= 1 }
                return start
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    private static func move(_ bytes: UnsafeMutableRawBufferPointer, _ range: Range<Int>, to place: Int) -> Int {
        if range.lowerBound != place {
            UnsafeMutableRawBufferPointer(rebasing: bytes[place..<(place + range.count)]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        return place + range.count
    }

    /// Takes out the bytes that keep the encrypted slice free of start codes; then, behind 32 clear bytes, a block of 16 is encrypted and nine
    /// are not, in turn, and the last one is clear. Returns the bytes of the slice.
    private mutating func slice(_ bytes: UnsafeMutableRawBufferPointer, _ range: Range<Int>, to place: Int) -> Int {
        var written = place, zeros = 0
        for index in range {
            let byte = bytes[index]
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes[written] = byte
            written += 1
        }
        var own = vector, block = place + 32
        while written - block > 16 {
            cipher.unchain(UnsafeMutableRawBufferPointer(rebasing: bytes[block..<(block + 16)]), &own)
            block += 160
        }
        return written - place
    }
}
