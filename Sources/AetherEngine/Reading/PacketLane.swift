import AetherCore
import AetherMedia

/// The packets of one stream, in the order of decoding: behind a cursor those that its decoder took, kept for a seek back; from the cursor
/// on those that wait for it.
struct PacketLane {
    /// Where decoding can begin: the number of a key packet, counted from the first ever appended, and when it is shown.
    private struct Key {
        let number: Int
        let time: MediaTime
    }
    private var packets: [Packet?] = []
    /// Slots of packets that were dropped, and the next one to take.
    private var head = 0
    private var cursor = 0
    /// Packets whose slots are gone: number = this + slot.
    private var slotsGone = 0
    private var keys: [Key] = []
    /// Bytes that wait, and bytes that are kept behind the cursor.
    private(set) var byteCount = 0
    private(set) var keptBytes = 0
    /// The stream has no more packets in this run.
    var hasEnded = false { didSet { if hasEnded { putInPlace() } } }
    /// The packets that replace those from a point on, until they reach as far as the decoder.
    private var replacement: PacketReplacement?
    /// Packets up to here come once more and are held already.
    private var heldUntil: MediaTime?
    /// Packets of its past are missing.
    private(set) var isClipped = false
    /// The time of the newest packet.
    private(set) var newest: MediaTime?
    /// Where the packet that is shown last begins, and how long it says it lasts.
    private(set) var last: (time: MediaTime, duration: TimeSpan?)?
    /// Decode times rise and lie before the showing times: every frame up to here was appended. nil where the file gives none.
    private(set) var decodedUntil: MediaTime?

    /// Where its packets lie, for tests: another address where they were copied.
    var address: UnsafeRawPointer? { packets.withUnsafeBytes { $0.baseAddress } }
    /// How many it holds, waiting and kept.
    var held: Int { packets.count - head }
    /// How many wait.
    var count: Int { packets.count - cursor }
    var isEmpty: Bool { cursor == packets.count }
    /// Whether any is kept behind the cursor.
    var hasPast: Bool { head < cursor }
    /// When the oldest one kept, and the next to take, are decoded; nil without one, or without a time.
    var oldest: MediaTime? { head < packets.count ? Self.time(packets[head]) : nil }
    var next: MediaTime? { cursor < packets.count ? Self.time(packets[cursor]) : nil }
    /// The first point that decoding can begin at.
    var firstKey: MediaTime? { keys.first { $0.number >= slotsGone + head }?.time }

    private static func time(_ packet: Packet?) -> MediaTime? { packet.flatMap { $0.dts ?? $0.pts } }

    /// How much playing time waits, by decode time stamps; 0 where the file gives none.
    var span: TimeSpan {
        guard let newest, let next else { return .zero }
        return max(.zero, newest - next)
    }

    /// Packets come that take the place of others.
    var isReplaced: Bool { replacement != nil }

    mutating func append(_ packet: Packet) {
        if let heldUntil, let time = Self.time(packet) {
            if time <= heldUntil { return }
            self.heldUntil = nil
        }
        guard replacement != nil else { return add(packet) }
        replacement?.append(packet)
        if replacement?.isDue(at: next) ?? true { putInPlace() }
    }

    private mutating func add(_ packet: Packet) {
        if packet.isKey, let time = packet.pts ?? packet.dts { keys.append(Key(number: slotsGone + packets.count, time: time)) }
        packets.append(packet)
        byteCount += packet.byteCount
        if let time = Self.time(packet) { newest = time }
        if let dts = packet.dts { decodedUntil = dts }
        if let shown = packet.pts, shown >= last?.time ?? shown { last = (shown, packet.duration) }
    }

    /// Takes the next one; it is kept as the past.
    mutating func popFirst() -> Packet? {
        guard cursor < packets.count else { return nil }
        let packet = packets[cursor]
        cursor += 1
        byteCount -= packet?.byteCount ?? 0
        keptBytes += packet?.byteCount ?? 0
        return packet
    }

    /// When the next one that waits and that decoding can begin at is shown.
    var nextKey: MediaTime? {
        // Few wait, and many may be kept behind the cursor.
        keys.reversed().prefix { $0.number >= slotsGone + cursor }.last?.time
    }

    /// Whether a waiting packet is shown at such a time.
    func contains(_ isWanted: (MediaTime) -> Bool) -> Bool { packets[cursor...].contains { $0?.pts.map(isWanted) ?? false } }

    // MARK: - Going back

    /// Forgets the oldest packet behind the cursor; returns whether there was one.
    mutating func dropOldest() -> Bool {
        guard head < cursor else { return false }
        keptBytes -= packets[head]?.byteCount ?? 0
        packets[head] = nil
        isClipped = true
        head += 1
        // The slots are dropped in batches, once they are an eighth of the array: half would have it double once more, 1000 s after the
        // cache is full.
        if head >= 32 && head * 8 >= packets.count {
            packets.removeFirst(head)
            slotsGone += head
            keys.removeAll { $0.number < slotsGone }
            cursor -= head
            head = 0
        }
        return true
    }

    /// Everything up to a point is the past, though it was not taken: for a lane without a decoder, whose cursor follows the others'.
    mutating func advance(to point: MediaTime) {
        while let next, next < point { _ = popFirst() }
    }

    /// Lets go of all before the last key packet that waits and is shown at or before a point; returns when that is shown, nil where there is none.
    mutating func stand(at point: MediaTime) -> MediaTime? {
        guard let key = keys.last(where: { $0.time <= point && $0.number >= slotsGone + cursor }) else { return nil }
        while slotsGone + cursor < key.number { _ = popFirst() }
        forgetPast()
        return key.time
    }

    /// Nothing is kept behind the cursor.
    mutating func forgetPast() { while dropOldest() {} }

    /// The slot that decoding for a point begins at: the last key packet, for audio (`fromKey` is false) one a little before. nil where
    /// the lane does not hold it.
    private func slot(for target: MediaTime, fromKey: Bool, reach: TimeSpan = .zero) -> Int? {
        guard hasEnded || newest.map({ $0 + reach >= target }) ?? false else { return nil }
        // Decoders of audio need what comes before to be right: 80 ms for Opus, two frames for AAC and MP3.
        let latest = fromKey ? target : target - .milliseconds(100)
        if let key = keys.last(where: { $0.time <= latest }), key.number >= slotsGone + head { return key.number - slotsGone }
        return fromKey || isClipped ? nil : head
    }

    /// The key packets that surround a point, the first at or before it; nil where the lane does not hold that one.
    func keys(around target: MediaTime) -> (before: MediaTime, after: MediaTime?)? {
        guard slot(for: target, fromKey: true) != nil, let index = keys.lastIndex(where: { $0.time <= target }) else {
            return nil
        }
        return (keys[index].time, keys.dropFirst(index + 1).first { $0.time > target }?.time)
    }

    /// Whether decoding for a point can begin here.
    func holds(_ target: MediaTime, fromKey: Bool, reach: TimeSpan = .zero) -> Bool {
        slot(for: target, fromKey: fromKey, reach: reach) != nil
    }

    /// Moves the cursor to where decoding for a point begins; returns whether that is held.
    mutating func move(to target: MediaTime, fromKey: Bool, reach: TimeSpan = .zero) -> Bool {
        guard let slot = slot(for: target, fromKey: fromKey, reach: reach) else { return false }
        let moved = packets[min(slot, cursor)..<max(slot, cursor)].reduce(0) { $0 + ($1?.byteCount ?? 0) }
        byteCount += slot < cursor ? moved : -moved
        keptBytes += slot < cursor ? -moved : moved
        cursor = slot
        return true
    }

    /// The packets from where decoding of frames for a point begins, `limit` at most; none where the lane does not hold it.
    func stretch(for target: MediaTime, limit: Int) -> [Packet] {
        guard let slot = slot(for: target, fromKey: true) else { return [] }
        return packets[slot...].prefix(limit).compactMap { $0 }
    }

    /// The packets that are held and decoded at a point or behind it, and those before it that are shown behind it.
    func packets(from point: MediaTime) -> [Packet] {
        let held = packets[head...].compactMap { $0 }
        let first = held.firstIndex { packet in packet.pts.map { $0 >= point } ?? true } ?? held.endIndex
        return Array(held[first...])
    }

    /// Drops what waits from the first packet on that is shown at or behind a point and, where `fromKey` says so, that decoding can begin at:
    /// the same stretch is read once more. Durations of playlists are rounded: a key packet may lie a little before the point.
    mutating func dropAhead(from point: MediaTime, fromKey: Bool) {
        let bound = fromKey ? point - PacketReplacement.rounding : point
        let first = packets[cursor...].firstIndex { packet in
            guard let packet, let time = packet.pts ?? packet.dts else { return false }
            return time >= bound && (packet.isKey || !fromKey)
        }
        (hasEnded, replacement) = (false, nil)
        if let first { cut(at: first) }
        // A segment of audio and video begins with audio from before its key frame.
        if !fromKey { heldUntil = newest }
    }

    /// Lets what comes from now on take the place of all that is held from a point on, the past too, once it reaches as far as the decoder.
    mutating func replaceAhead(from point: MediaTime) {
        hasEnded = false
        replacement = PacketReplacement(from: point)
    }

    /// Leaves out what is read once more up to the newest packet.
    mutating func passOverHeld() { (hasEnded, heldUntil) = (false, newest) }

    /// Changes the packets that are held for those that came in their place; decoding goes on with the first of them.
    private mutating func putInPlace() {
        guard let replacement else { return }
        self.replacement = nil
        guard !replacement.packets.isEmpty else { return }
        let start = replacement.start
        let first = packets[head...].firstIndex { packet in
            guard let packet, let time = packet.pts ?? packet.dts else { return false }
            return time >= start && packet.isKey
        }
        let isLater = oldest.map { $0 >= start } ?? false
        cut(at: isLater ? head : first ?? packets.count)
        for packet in replacement.packets { add(packet) }
    }

    /// Drops the packets of a slot and behind it; the cursor stands there where it stood behind it.
    private mutating func cut(at first: Int) {
        guard first < packets.count else { return }
        let taken = packets[min(first, cursor)..<cursor].reduce(0) { $0 + ($1?.byteCount ?? 0) }
        keptBytes -= taken
        byteCount -= packets[max(first, cursor)...].reduce(0) { $0 + ($1?.byteCount ?? 0) }
        cursor = min(cursor, first)
        packets.removeSubrange(first...)
        keys.removeAll { $0.number >= slotsGone + first }
        newest = packets.last.flatMap { Self.time($0) }
        decodedUntil = packets.last.flatMap { $0?.dts }
        // Frames are shown at most 16 packets after their turn in the order of decoding.
        last = packets.suffix(32).compactMap { packet in
            packet.flatMap { packet in packet.pts.map { (time: $0, duration: packet.duration) } }
        }
        .max { $0.time < $1.time }
    }

    mutating func removeAll() { self = PacketLane() }
}
