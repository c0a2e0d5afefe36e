/// The name that people have for a container. Pure.
enum ContainerName {
    /// The usual name for libavformat's, which often names a family: there the end of the file's name tells. What is not known stays as it
    /// is.
    static func words(_ name: String, path: String) -> String {
        let end = path.split(separator: ".").last?.lowercased() ?? ""
        switch name {
        case "matroska,webm": return end == "webm" ? "WebM" : "Matroska"
        case "mov,mp4,m4a,3gp,3g2,mj2": return end == "mov" ? "QuickTime" : end.hasPrefix("3g") ? "3GP" : "MP4"
        default: return known[name] ?? name
        }
    }

    private static let known = [
        "aac": "ADTS", "asf": "ASF (Windows Media)", "avi": "AVI", "flac": "FLAC", "flv": "Flash Video", "gif": "GIF",
        "mp3": "MP3", "mpeg": "MPEG program stream", "mpegts": "MPEG transport stream",
        "ogg": "Ogg", "wav": "WAV",
    ]
}
