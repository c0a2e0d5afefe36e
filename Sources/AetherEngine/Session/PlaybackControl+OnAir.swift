import AetherCore
import AetherFormats

/// The programmes that a broadcast announces.
extension PlaybackControl {
    /// Takes an announcement. A programme that begins while it is played is told.
    mutating func take(_ all: [Int: NowNext]) {
        let former = programmes
        programmes = all
        showOnAir()
        // Of several programs the others' news are not of interest.
        guard all.count == 1, let now = all.first?.value.now, let before = former[all.first?.key ?? 0]?.now else { return }
        if now.title != before.title { notice(translated("now: \(now.title)")) }
    }

    /// Publishes the programmes of the program that is played.
    mutating func showOnAir() {
        let programmes = programmes
        publish { state in
            let service = state.snapshot.activeTitle ?? programmes.keys.min()
            state.snapshot.onAir = service.flatMap { programmes[$0] } ?? NowNext(at: 0)
        }
    }
}
