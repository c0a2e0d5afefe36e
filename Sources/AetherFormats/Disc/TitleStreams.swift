/// The audio and subtitles of a title set, with the numbers that a chain gives them. Pure.
struct TitleStreams: Sendable, Equatable {
    private struct Sound: Equatable {
        let codec: String
        let base: Int
        let language: String?
        let channels: Int
        let purpose: DiscStream.Purpose
    }
    private struct Words: Equatable {
        let language: String?
        let purpose: DiscStream.Purpose
    }
    private var sounds: [Sound] = []
    private var words: [Words] = []
    let isWide: Bool
    /// Where a file describes the streams of its titles, and those of its menus.
    static let ofTitles = 0x200, ofMenus = 0x100

    init(_ bytes: DiscBytes, at start: Int = ofTitles) throws(DiscFault) {
        isWide = try bytes.byte(start) >> 2 & 3 == 3
        for index in 0..<min(8, try bytes.short(start + 2)) {
            let place = start + 4 + 8 * index
            let first = try bytes.byte(place)
            let (codec, base) = Self.codec(first >> 5)
            sounds.append(
                try Sound(
                    codec: codec, base: base, language: first >> 2 & 3 == 1 ? bytes.language(place + 2) : nil,
                    channels: bytes.byte(place + 1) & 7 + 1, purpose: Self.purpose(ofAudio: bytes.byte(place + 5))))
        }
        for index in 0..<min(32, try bytes.short(start + 0x54)) {
            let place = start + 0x56 + 6 * index
            words.append(
                try Words(
                    language: bytes.byte(place) & 3 == 1 ? bytes.language(place + 2) : nil,
                    purpose: Self.purpose(ofSubtitles: bytes.byte(place + 5))))
        }
    }

    /// The codec of a coding mode, and the number of its first stream in a program stream.
    private static func codec(_ mode: Int) -> (String, Int) {
        switch mode {
        case 2, 3: ("mp2", 0x1C0)
        case 4: ("pcm_dvd", 0xA0)
        case 6: ("dts", 0x88)
        default: ("ac3", 0x80)
        }
    }

    private static func purpose(ofAudio code: Int) -> DiscStream.Purpose {
        switch code {
        case 2: .impaired
        case 3, 4: .commentary
        default: .plain
        }
    }

    private static func purpose(ofSubtitles code: Int) -> DiscStream.Purpose {
        switch code {
        case 2, 3: .easy
        case 5, 6, 7: .impaired
        case 9: .forced
        case 13, 14, 15: .commentary
        default: .plain
        }
    }

    func audio(of chain: ProgramChain) -> [DiscStream] {
        sounds.enumerated().compactMap { index, sound in
            chain.audio[index].map { number in
                DiscStream(
                    code: sound.base + number, codec: sound.codec, language: sound.language, channels: sound.channels,
                    purpose: sound.purpose, number: index)
            }
        }
    }

    func subtitles(of chain: ProgramChain) -> [DiscStream] {
        words.enumerated().compactMap { index, words in
            chain.subtitles[index].map { numbers in
                DiscStream(
                    code: 0x20 + numbers[isWide ? 1 : 0], codec: "dvd_subtitle", language: words.language,
                    purpose: words.purpose, number: index)
            }
        }
    }
}
