/// The media types that a desktop may hand over to the player; the desktop file says the same.
enum MediaTypes {
    static let all = [
        "video/x-matroska", "video/webm", "audio/x-matroska", "audio/webm", "video/mp4", "video/x-m4v", "audio/mp4",
        "audio/x-m4a", "video/quicktime", "video/mp2t", "video/mpeg", "video/x-msvideo", "video/vnd.avi", "video/x-flv",
        "video/ogg", "video/3gpp", "video/x-ms-wmv", "audio/flac", "audio/x-flac", "audio/mpeg", "audio/ogg",
        "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/opus", "audio/aac", "audio/ac3", "audio/eac3", "audio/vnd.dts",
        "audio/vnd.wave", "audio/x-wav", "audio/x-aiff", "audio/x-ape", "audio/x-wavpack", "audio/x-ms-wma", "audio/x-mpegurl",
        "application/vnd.apple.mpegurl", "audio/x-scpls", "application/xspf+xml", "application/x-cue", "video/3gpp2",
        "audio/AMR", "application/vnd.ms-asf", "audio/basic", "video/dv", "audio/x-m4b", "video/x-mjpeg",
        "video/x-matroska-3d", "audio/x-musepack", "application/mxf", "video/x-ogm+ogg", "audio/vnd.rn-realaudio",
        "application/vnd.rn-realmedia", "audio/x-speex+ogg", "audio/x-tta",
    ]
}
