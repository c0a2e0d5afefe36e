import CFFmpeg

/// Whether other frames are predicted from a frame, by the heads of its units. Pure; nil where the codec does not say it there.
public struct ReferenceUse: Sendable {
    private let codec: AVCodecID
    /// Bytes of the length before each unit; 0: start codes.
    private let prefix: Int
    private var sequence: AV1Sequence?

    /// For a stream.
    public init(_ parameters: CodecParameters) {
        codec = parameters.pointer.pointee.codec_id
        let header = parameters.header(limit: 64)
        prefix =
            switch codec {
            case AV_CODEC_ID_H264 where header.count > 4 && header[0] == 1: Int(header[4] & 3) + 1
            case AV_CODEC_ID_HEVC where header.count > 21 && header[0] == 1: Int(header[21] & 3) + 1
            default: 0
            }
        if codec == AV_CODEC_ID_AV1, header.count > 4, header[0] & 0x80 != 0 {
            _ = header.withUnsafeBytes { AV1Units(UnsafeRawBufferPointer(rebasing: $0[4...])).isDroppable(&sequence) }
        }
    }

    /// Of the frame in a packet, before it is decoded.
    public mutating func isReference(_ packet: Packet) -> Bool? {
        switch codec {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC:
            return Self.isReference(packet.bytes(limit: 1 << 16), prefix: prefix, isHEVC: codec == AV_CODEC_ID_HEVC)
        case AV_CODEC_ID_AV1:
            guard let payload = packet.payload else { return nil }
            return !AV1Units(UnsafeRawBufferPointer(payload)).isDroppable(&sequence)
        default: return nil
        }
    }

    /// Of a frame of that type, where the codec's types tell it: B-frames of these never are.
    public func isReference(_ type: FrameType) -> Bool? {
        let codecs = [AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_VC1]
        return codecs.contains(codec) && type != .unknown ? type != .bidirectional : nil
    }

    /// By the first unit that holds a part of the frame: H.264's nal_ref_idc, and HEVC's types of which the even ones below 16 are for no other.
    static func isReference(_ bytes: [UInt8], prefix: Int, isHEVC: Bool) -> Bool? {
        var place = 0, units = 0
        while units < 64 {
            units += 1
            let start: Int
            if prefix > 0 {
                guard place + prefix < bytes.count else { return nil }
                let length = bytes[place..<place + prefix].reduce(0) { $0 << 8 | Int($1) }
                start = place + prefix
                place = start + length
            } else {
                guard let found = Self.startCode(bytes, from: place) else { return nil }
                start = found
                place = found
            }
            guard start < bytes.count else { return nil }
            let head = Int(bytes[start])
            if isHEVC {
                let type = head >> 1 & 63
                if type < 32 { return type >= 16 || type % 2 == 1 }
            } else if (1...5).contains(head & 31) {
                return head >> 5 & 3 != 0
            }
        }
        return nil
    }

    /// The first byte behind the next start code.
    private static func startCode(_ bytes: [UInt8], from place: Int) -> Int? {
        var place = place
        while place + 3 < bytes.count {
            if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 { return place + 3 }
            place += 1
        }
        return nil
    }
}
