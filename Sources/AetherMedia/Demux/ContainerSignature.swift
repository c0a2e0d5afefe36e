/// The containers that the first bytes of a file name beyond doubt. libavformat asks all of its 300 demuxers else, of which some load a megabyte of
/// code to answer.
enum ContainerSignature {
    /// The bytes that must be there to tell.
    static let count = 12

    /// libavformat's name of the demuxer; nil where the bytes may be anything.
    static func demuxer(of bytes: [UInt8]) -> String? {
        guard bytes.count >= count else { return nil }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "matroska" }
        // JPEG 2000 and JPEG XL have the same boxes as MP4.
        let isMP4 = bytes[4..<8].elementsEqual("ftyp".utf8) && !bytes[8...].starts(with: "j".utf8)
        return isMP4 ? "mov" : nil
    }
}
