import AetherCore
import AetherEngine

/// The programmes of a broadcast on its axis.
extension Scene {
    /// Where programmes begin and end within what can be gone to, by the broadcaster's clock; one that states none is taken to make its live edge now.
    var programmeBorders: [MediaTime] {
        guard snapshot.isBroadcast, let edge = snapshot.liveEdge, snapshot.startTime < edge else { return [] }
        guard let zero = snapshot.wallZero.map({ Double($0) / 1e9 }) ?? (bar.unix > 0 ? Double(bar.unix) - edge.seconds : nil)
        else {
            return []
        }
        let window = Int64((zero + snapshot.startTime.seconds).rounded(.up))...Int64((zero + edge.seconds).rounded(.up))
        return borders(in: window).map { MediaTime.seconds(Double($0) - zero) }.filter { $0 > snapshot.startTime && $0 < edge }
    }

    private func borders(in window: ClosedRange<Int64>) -> [Int64] {
        if let television, let channel = playlist.channel, channel.past == nil {
            let listed = television.guide.borders(of: channel.index, in: window)
            if !listed.isEmpty { return listed }
        }
        let announced = [snapshot.onAir.now, snapshot.onAir.next].compactMap(\.self).flatMap { [$0.start, $0.stop] }
        return Set(announced.filter { window.contains($0) }).sorted()
    }
}
