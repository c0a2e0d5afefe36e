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

    /// The cues of a sample; nil for bytes that are no sample of cues.
    public static func cues(_ sample: [UInt8]) -> [Cue]? {
        var cues: [Cue] = [], isSample = false
        for (name, body) in BoxReader(sample[...]).prefix(limit) {
            switch name {
            case "vttc":
                var cue = Cue()
                for (name, body) in BoxReader(body).prefix(limit) {
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
}
