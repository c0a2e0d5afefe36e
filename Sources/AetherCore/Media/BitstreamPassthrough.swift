/// The codecs that a receiver shall decode instead of us.
public struct BitstreamPassthrough: OptionSet, Sendable, Hashable {
    /// The codecs as bits.
    public let rawValue: Int

    /// A set by its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The codec of that name; with `dts` alone the core of a DTS-HD stream is sent.
    public static let ac3 = Self(rawValue: 1), eac3 = Self(rawValue: 2), dts = Self(rawValue: 4), dtsHD = Self(rawValue: 8)
    /// Dolby TrueHD, over HDMI at 192 kHz.
    public static let trueHD = Self(rawValue: 16)

    /// From "ac3,eac3,dts,dtshd,truehd"; nil for any other word.
    public init?(names: String) {
        self = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            switch name {
            case "ac3": insert(.ac3)
            case "eac3": insert(.eac3)
            case "dts": insert(.dts)
            case "dtshd": insert(.dtsHD)
            case "truehd": insert(.trueHD)
            default: return nil
            }
        }
    }
}
