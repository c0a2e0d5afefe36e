public import AetherFormats
import CFFmpeg

extension CodecName {
    /// Whether a decoder of it is there. Text always is, and so is a name that is not known here: its segments will tell.
    public var isDecodable: Bool {
        guard kind == .video || kind == .audio else { return true }
        // AV1 is decoded by libdav1d, whatever libavcodec was built with.
        if base == "av01" || base == "dav1" { return true }
        guard let descriptor = avcodec_descriptor_get_by_name(libraryName) else { return false }
        return avcodec_find_decoder(descriptor.pointee.id) != nil
    }

    /// FFmpeg's name of a codec.
    var libraryName: String {
        switch base {
        case "avc1", "avc3", "dva1", "dvav": "h264"
        case "hvc1", "hev1", "dvh1", "dvhe": "hevc"
        case "av01", "dav1": "av1"
        case "vp08": "vp8"
        case "vp09": "vp9"
        case "vvc1", "vvi1": "vvc"
        case "mp4v": "mpeg4"
        case "mjpg", "jpeg": "mjpeg"
        case "mjp2": "jpeg2000"
        case "mp4a": name == "MP3" ? "mp3" : "aac"
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        case "ac-4": "ac4"
        case "dtsc", "dtsh", "dtsl", "dtse", "dtsx": "dts"
        case "mlpa": "truehd"
        case "mha1", "mhm1": "mpegh_3d_audio"
        case "ipcm", "fpcm": "pcm_s16le"
        case "wvtt": "webvtt"
        case "stpp": "ttml"
        default: base
        }
    }
}
