import AetherCore

/// A sample of TTML in MP4 (`stpp`, ISO/IEC 14496-30): a document, and behind it the images that it names. The box `subs` has the sizes of them;
/// files of PNG say where they end by themselves, so that it is not needed.
public struct TTMLSample: Sendable {
    /// The text.
    public let document: [UInt8]
    /// Files of PNG, in order.
    public let images: [[UInt8]]

    /// Images behind one document at most.
    private static let limit = 1000
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Takes a sample apart. A file that breaks off ends it.
    public init(_ bytes: [UInt8]) {
        guard let first = bytes.withUnsafeBytes({ BytePattern(Self.signature).first(in: $0) }) else {
            (document, images) = (bytes, [])
            return
        }
        document = Array(bytes[..<first])
        var found: [[UInt8]] = [], start = first
        while found.count < Self.limit, let end = Self.end(of: bytes, from: start) {
            found.append(Array(bytes[start..<end]))
            start = end
        }
        images = found
    }

    /// The end of a file of PNG: behind its last chunk.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[start...].starts(with: signature) else { return nil }
        var place = start + signature.count
        while place + 12 <= bytes.count, let length = bytes[place...].bigEndian(4), length <= bytes.count - place - 12 {
            let isLast = bytes[(place + 4)..<(place + 8)].elementsEqual("IEND".utf8)
            place += 12 + length
            if isLast { return place }
        }
        return nil
    }
}
