/// Whether graphics processors may decode video.
public enum HardwareDecoding: String, CaseIterable, Sendable {
    /// Software decodes.
    case off = "no"
    /// Each stream's first frames are decoded by VA-API and by software, and VA-API goes on where that costs less.
    case vaapi
}
