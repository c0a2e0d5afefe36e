/// A sample of WebVTT in MP4 (`wvtt`, ISO/IEC 14496-30): boxes of cues that stand together, or one that says that nothing does.
public enum WebVTTBoxes {
    /// A cue of a sample.
    public struct Cue: Sendable, Equatable {
        /// The settings of the cue, as they stand behind the times of a file; "" without a `sttg` box.
        public var settings: String
        /// The payload as written, with its tags.
        public var text: String

        /// A cue.
        public init(settings: String = "", text: String = "") {
            self.settings = settings
            self.text = text
        }
    }

    /// A sample of more cues than this is noise.
    private static let limit = 32

    /// The cues of a sample; nil for what is none.
    public static func cues(_ sample: [UInt8]) -> [Cue]? {
        var cues: [Cue] = [], isSample = false
        for (name, body) in boxes(sample[...]) {
            switch name {
            case "vttc":
                var cue = Cue()
                for (name, body) in boxes(body) {
                    if name == "sttg" { cue.settings = String(decoding: body.prefix(512), as: UTF8.self) }
                    if name == "payl" { cue.text = String(decoding: body, as: UTF8.self) }
                }
                cues.append(cue)
            case "vtte", "vtta": break
            default: return isSample ? cues : nil
            }
            isSample = true
        }
        return isSample ? cues : nil
    }

    private static func boxes(_ bytes: ArraySlice<UInt8>) -> [(name: String, body: ArraySlice<UInt8>)] {
        var found: [(String, ArraySlice<UInt8>)] = [], rest = bytes
        while rest.count >= 8, found.count < limit {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, size <= rest.count else { break }
            found.append((String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), rest.prefix(size).dropFirst(8)))
            rest = rest.dropFirst(size)
        }
        return found
    }
}
