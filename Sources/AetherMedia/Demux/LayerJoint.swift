import AetherCore
import CFFmpeg

/// Brings metadata of Dolby Vision that lies in a stream of its own into the packets of the base layer, behind their other units, as if both had
/// been one stream: the decoder of them needs to know nothing of it. A packet of the base waits until the one of the same time has come from the
/// other stream; what was read behind it waits with it. Times, counts and bytes are the file's word: all waiting is bounded.
struct LayerJoint: ~Copyable {
    private struct Layer {
        let base: Int, other: Int
        let baseTime: TimeBase, otherTime: TimeBase
        let baseUnits: HEVCUnits, otherUnits: HEVCUnits
        /// Metadata that waits for its frame, oldest first; without bytes where a packet had none.
        var found: [(time: MediaTime, unit: [UInt8])] = []
        /// Whether waiting for the other stream has not been in vain.
        var isPatient = true
    }

    private struct Place {
        let packet: UnsafeMutablePointer<AVPacket>
        var isWaiting: Bool
    }

    /// On a disc the streams lie up to a second apart: 64 frames are that at 60 a second.
    private static let waitingLimit = 64
    /// All that is held: a second of the fastest disc is 16 MB.
    private static let byteLimit = 64 << 20
    /// Of audio behind a frame that waits: more than that is kept ahead nowhere else, either.
    private static let spanLimit = TimeSpan.seconds(2)
    private static let placeLimit = 8192
    /// Metadata that comes before its frame.
    private static let foundLimit = 256
    /// Matroska's clock has milliseconds.
    private static let tolerance = TimeSpan.milliseconds(1)

    private var layers: [Layer]
    private let timeBases: [Int: TimeBase]
    private var queue: [Place] = []
    private var byteCount = 0

    init(_ streams: [StreamInfo]) {
        timeBases = Dictionary(streams.map { ($0.index, $0.timeBase) }) { first, _ in first }
        layers = streams.compactMap { other in
            guard let index = other.enhancedStream, let base = streams.first(where: { $0.index == index }) else { return nil }
            return Layer(
                base: base.index, other: other.index, baseTime: base.timeBase, otherTime: other.timeBase,
                baseUnits: HEVCUnits(header: base.parameters.header(limit: 64)),
                otherUnits: HEVCUnits(header: other.parameters.header(limit: 64)))
        }
    }

    deinit {
        for place in queue { StreamAnalysis.free(place.packet) }
    }

    /// Whether there is anything to join; else packets need not come here.
    var isNeeded: Bool { !layers.isEmpty }

    /// These streams and the layers that go with them.
    func widened(_ streams: Set<Int>) -> Set<Int> {
        streams.union(layers.filter { streams.contains($0.base) }.map(\.other))
    }

    /// Forgets what waits, for a seek.
    mutating func reset() {
        for place in queue { StreamAnalysis.free(place.packet) }
        queue = []
        byteCount = 0
        for index in layers.indices { (layers[index].found, layers[index].isPatient) = ([], true) }
    }

    /// Keeps what waits of these streams only.
    mutating func keep(_ streams: Set<Int>) {
        queue.removeAll { place in
            guard !streams.contains(Int(place.packet.pointee.stream_index)) else { return false }
            byteCount -= Int(place.packet.pointee.size)
            StreamAnalysis.free(place.packet)
            return true
        }
    }

    /// Takes over a packet as it was read.
    mutating func put(_ packet: UnsafeMutablePointer<AVPacket>) {
        let stream = Int(packet.pointee.stream_index)
        if let index = layers.firstIndex(where: { $0.other == stream }) {
            note(packet, index)
            StreamAnalysis.free(packet)
            return
        }
        let index = layers.firstIndex { $0.base == stream }
        queue.append(Place(packet: packet, isWaiting: index != nil))
        byteCount += Int(packet.pointee.size)
        if let index { join(index) }
        endPatience()
    }

    /// The next packet, if it waits for nothing, or `atOnce`. Owned by the caller.
    mutating func take(atOnce: Bool = false) -> UnsafeMutablePointer<AVPacket>? {
        guard let first = queue.first, atOnce || !first.isWaiting else { return nil }
        queue.removeFirst()
        byteCount -= Int(first.packet.pointee.size)
        return first.packet
    }

    private mutating func note(_ packet: UnsafeMutablePointer<AVPacket>, _ index: Int) {
        guard packet.pointee.pts != aether_nopts() else { return }
        let bytes = UnsafeRawBufferPointer(start: packet.pointee.data, count: max(0, Int(packet.pointee.size)))
        let unit = layers[index].otherUnits.metadata(in: bytes) ?? []
        layers[index].found.append((MediaTime(ticks: packet.pointee.pts, in: layers[index].otherTime), unit))
        if layers[index].found.count > LayerJoint.foundLimit { layers[index].found.removeFirst() }
        layers[index].isPatient = true
        join(index)
    }

    /// Gives packets that wait what has come for them. Both streams are in the order of decoding: what waits ahead of one that has got its own
    /// will get nothing any more.
    private mutating func join(_ index: Int) {
        let layer = layers[index]
        var last: Int?
        for place in queue.indices where isWaiting(place, layer) {
            guard let number = partner(of: queue[place].packet, in: layers[index]) else { continue }
            let unit = layers[index].found.remove(at: number).unit
            append(unit, to: queue[place].packet, layer)
            last = place
        }
        guard let last else { return }
        for place in queue.indices where place <= last && isWaiting(place, layer) { queue[place].isWaiting = false }
    }

    private func isWaiting(_ place: Int, _ layer: Layer) -> Bool {
        queue[place].isWaiting && Int(queue[place].packet.pointee.stream_index) == layer.base
    }

    private func partner(of packet: UnsafeMutablePointer<AVPacket>, in layer: Layer) -> Int? {
        guard packet.pointee.pts != aether_nopts() else { return nil }
        let time = MediaTime(ticks: packet.pointee.pts, in: layer.baseTime)
        return layer.found.firstIndex { $0.time - time <= Self.tolerance && time - $0.time <= Self.tolerance }
    }

    private mutating func append(_ unit: [UInt8], to packet: UnsafeMutablePointer<AVPacket>, _ layer: Layer) {
        guard !unit.isEmpty, let framed = layer.baseUnits.framed(unit) else { return }
        let end = Int(packet.pointee.size)
        guard av_grow_packet(packet, Int32(framed.count)) >= 0, let data = packet.pointee.data else { return }
        framed.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { (data + end).update(from: start, count: bytes.count) }
        }
        byteCount += framed.count
    }

    /// Ends the wait for the other stream until that gives metadata again.
    private mutating func endPatience() {
        guard let first = queue.first, first.isWaiting, let newest = queue.last else { return }
        var isTooMuch = byteCount > Self.byteLimit || queue.count > Self.placeLimit
        if let from = time(first.packet), let to = time(newest.packet), to - from > Self.spanLimit { isTooMuch = true }
        for index in layers.indices {
            let layer = layers[index]
            let waiting = queue.indices.filter { isWaiting($0, layer) }
            if isTooMuch || waiting.count > Self.waitingLimit { layers[index].isPatient = false }
            if !layers[index].isPatient { for place in waiting { queue[place].isWaiting = false } }
        }
    }

    private func time(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
        let ticks = packet.pointee.dts == aether_nopts() ? packet.pointee.pts : packet.pointee.dts
        guard ticks != aether_nopts(), let base = timeBases[Int(packet.pointee.stream_index)] else { return nil }
        return MediaTime(ticks: ticks, in: base)
    }
}
