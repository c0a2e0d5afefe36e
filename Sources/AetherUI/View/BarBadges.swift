import AetherCore
import AetherEngine

/// The badges of the present file, in a word each: how large, in which codec, with Atmos, drawn by which renderer. Pure.
struct BarBadges {
    /// By rank: a lower one stays longer. A click opens what the badge is about.
    private(set) var words: [(rank: Int, text: String, action: PlayerAction)] = []

    /// The badges of what is played; a song's cover is no video. `scheme`: by which way it comes over a network, "" for a file.
    init(_ snapshot: EngineSnapshot, scheme: String = "") {
        let video = snapshot.videoTracks.first { $0.id == snapshot.activeVideoTrack }
        if let video, snapshot.hasFirstFrame {
            let choice: PlayerAction = snapshot.variants.count > 1 ? .showMenu(.video) : .showInfo
            if let size = snapshot.videoSize { words.append((1, Self.resolution(size), choice)) }
            words.append((2, TrackLabel.codec(video.codec), .showMenu(.video)))
        }
        let audio = snapshot.audioTracks.first { $0.id == snapshot.activeAudioTrack }
        if audio?.isAtmos == true { words.append((0, "Atmos", .showMenu(.audio))) }
        let network = Self.network(scheme, container: snapshot.container)
        if !network.isEmpty { words.append((1, network, .toggleTelemetry)) }
        let renderer = snapshot.telemetry?.renderer ?? ""
        if video != nil, !renderer.isEmpty { words.append((3, renderer, .showMenu(.renderers))) }
    }

    /// "HLS", "DASH", else the scheme: "HTTPS".
    private static func network(_ scheme: String, container: String) -> String {
        guard !scheme.isEmpty else { return "" }
        let kinds = container.split(separator: ",")
        return kinds.contains("hls")
            ? "HLS" : kinds.contains("dash") ? "DASH" : DisplayText.singleLine(scheme, limit: 8).uppercased()
    }

    /// "1080p": the usual name of a size, also of one whose top and bottom (or sides) were cut off; else its height.
    static func resolution(_ size: PixelSize) -> String {
        let names: [(width: Int, height: Int, name: String)] = [
            (7680, 4320, "8K"), (3840, 2160, "4K"), (2560, 1440, "1440p"), (1920, 1080, "1080p"), (1280, 720, "720p"),
        ]
        // An upright video is named by its shorter side.
        let (width, height) = (max(size.width, size.height), min(size.width, size.height))
        // 2 % less is cropped, 4096 wide is still 4K.
        for usual in names where width * 50 >= usual.width * 49 || height * 50 >= usual.height * 49 { return usual.name }
        return "\(height)p"
    }
}
