import AetherCore
import Testing

@testable import AetherLibrary

@Suite struct HistoryAddressesTests {
    @Test func addressesAreOfferedWithoutSecrets() {
        let places = [
            "https://h/film.mkv", "/home/a/film.mkv", "https://h/live.m3u8?token=abc", "https://name:word@h/private.mkv",
            "https://h/film.mkv", "ftp://h/clip.mp4", "https://h/a b",
        ]
        let records = places.map { place in
            let identity = FileIdentity(of: place.hasPrefix("/") ? .file(place) : .url(place))
            return HistoryRecord(
                identity: identity, progress: HistoryProgress(title: "", position: .zero, duration: nil, isFinished: false),
                playedAt: 0)
        }
        let addresses = HistoryRecord.addresses(records, limit: 9)
        #expect(addresses == ["https://h/film.mkv", "ftp://h/clip.mp4"], "\(addresses)")
        #expect(HistoryRecord.addresses(records, limit: 1) == ["https://h/film.mkv"])
    }
}
