/// Puts closed captions (CEA-608, pop-on, channel CC1) beside the pictures of an MPEG-2 elementary stream without B-frames: ffmpeg writes none.
public struct CaptionedVideo: Sendable {
    /// A caption that is shown from a frame on.
    public struct Caption: Sendable {
        /// The number of the frame, from 0.
        public let frame: Int
        /// The line; nil takes the former one away.
        public let text: String?

        /// A line of at most 32 letters of ASCII. Its bytes take two letters a frame, and are done when it appears.
        public init(at frame: Int, _ text: String?) { (self.frame, self.text) = (frame, text) }

        /// The pairs that are sent, the last of them with this frame: load, letters, show; each order twice, as the standard has it.
        fileprivate var pairs: [(UInt8, UInt8)] {
            guard let text else { return [(0x14, 0x2C), (0x14, 0x2C)] }
            let letters = Array(text.utf8) + (text.utf8.count % 2 == 0 ? [] : [0])
            let words = stride(from: 0, to: letters.count, by: 2).map { (letters[$0], letters[$0 + 1]) }
            // Pop-on, an empty memory, the beginning of row 15.
            let orders: [(UInt8, UInt8)] = [(0x14, 0x20), (0x14, 0x20), (0x14, 0x2E), (0x14, 0x2E), (0x14, 0x70), (0x14, 0x70)]
            return orders + words + [(0x14, 0x2F), (0x14, 0x2F)]
        }
    }

    /// The elementary stream with its captions.
    public let bytes: [UInt8]

    /// `film` is one slice after the other, each picture's first one of row 1. Captions are in the order of their frames.
    public init(_ film: [UInt8], _ captions: [Caption]) {
        var pairs: [Int: (UInt8, UInt8)] = [:]
        for caption in captions {
            let said = caption.pairs
            for (index, pair) in said.enumerated() { pairs[caption.frame - said.count + 1 + index] = pair }
        }
        var result: [UInt8] = [], frame = -1, isOpen = false
        result.reserveCapacity(film.count + film.count / 50)
        for index in film.indices {
            if index + 3 < film.count, film[index] == 0, film[index + 1] == 0, film[index + 2] == 1 {
                // A picture begins, and its first slice.
                if film[index + 3] == 0 { (frame, isOpen) = (frame + 1, true) }
                if film[index + 3] == 1, isOpen {
                    isOpen = false
                    result += Self.userData(pairs[frame] ?? (0, 0))
                }
            }
            result.append(film[index])
        }
        bytes = result
    }

    /// ATSC A/53: one pair of field 1, of which each byte has an odd number of bits.
    private static func userData(_ pair: (UInt8, UInt8)) -> [UInt8] {
        func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 0 ? byte | 0x80 : byte }
        return [0, 0, 1, 0xB2] + Array("GA94".utf8) + [3, 0x41, 0xFF, 0xFC, odd(pair.0), odd(pair.1), 0xFF]
    }
}
