import AetherCore
import AetherFormats

/// The next step of reading MP4 without its encryption: bytes of the file come in, clear ones go out. Makes no call of the system.
///
/// Decryption goes from box to box. `moov` and `moof` are read whole and changed, encrypted samples one by one; all else passes. After a seek the
/// place is inside of samples that are known, or else the start of a box.
struct MovieDecryption: ~Copyable {
    /// The next thing to do.
    enum Step {
        /// Clear bytes for the reader; none: the end.
        case give(ArraySlice<UInt8>)
        /// So many bytes of the base at most pass by.
        case pass(Int)
        /// So many bytes of the base are wanted.
        case take(Int)
        /// The base is to go there.
        case seek(Int64)
        /// A key is missing.
        case locked(KeyID)
    }
    private enum Want {
        case box
        case sample(EncryptedSample, start: Int64)
        case fragment(Place)
    }
    /// Where the samples of a fragment lie: it is read once more where reading comes back to them.
    private struct Place {
        let origin: Int64, size: Int
        let extent: Range<Int64>
    }

    let keys: ContentKeys
    private var cipher: SampleCipher?
    /// Of the cipher.
    private var cipherKey: [UInt8] = []
    private var movie: MovieProtection?
    /// The key of a track that is not there.
    private var locked: KeyID?
    /// The fragment whose samples are read; nil before the first.
    private var fragment: (origin: Int64, samples: SampleTable)?
    private var places: [Place] = []
    private var position: Int64 = 0, basePosition: Int64 = 0
    private let isMovable: Bool
    private var ready: ArraySlice<UInt8> = []
    private var isAtEnd = false
    /// The end of the box whose bytes pass.
    private var boxEnd: Int64 = 0
    private var want: Want?
    /// The bytes of what is wanted that came so far: reading may be broken off in the middle.
    private var partial: [UInt8] = [], wanted = 0
    /// The box that begins at `position`, as far as it was read, and how much of it is wanted.
    private var held: [UInt8] = [], target = 8

    /// The largest head of a fragment, of a whole file, and sample.
    private static let fragmentLimit = 16 << 20, movieLimit = 256 << 20, sampleLimit = 64 << 20
    /// Fragments that are found again: 18 hours of them, of 1 s.
    private static let placeLimit = 1 << 16

    init(keys: ContentKeys, isMovable: Bool) { (self.keys, self.isMovable) = (keys, isMovable) }

    /// The next step towards at most so many bytes.
    mutating func next(limit: Int) -> Step {
        if !ready.isEmpty {
            let given = ready.prefix(limit)
            ready = ready.dropFirst(given.count)
            position += Int64(given.count)
            return .give(given)
        }
        if let locked { return .locked(locked) }
        if isAtEnd {
            isAtEnd = false
            return .give([])
        }
        if let want { return fetch(want) }
        if position >= boxEnd { return fetch(.box) }
        if isMovable, let place = otherPlace { return fetch(.fragment(place)) }
        let origin = fragment?.origin ?? 0
        guard let sample = (fragment?.samples ?? movie?.samples)?.sample(endingAfter: position - origin) else {
            return pass(limit, until: boxEnd)
        }
        let (start, isFar) = origin.addingReportingOverflow(sample.offset)
        guard !isFar, position >= start, sample.size <= Self.sampleLimit, position == start || isMovable else {
            let end = isFar ? boxEnd : position < start ? start : start.addingReportingOverflow(Int64(sample.size)).partialValue
            return pass(limit, until: min(boxEnd, max(end, position + 1)))
        }
        guard keys.key(sample.scheme.key) != nil else { return .locked(sample.scheme.key) }
        return fetch(.sample(sample, start: start))
    }

    private mutating func pass(_ limit: Int, until end: Int64) -> Step {
        basePosition == position ? .pass(Int(min(Int64(limit), max(1, end - position)))) : .seek(position)
    }

    /// The fragment in whose samples reading is, where that is another one than the one at hand.
    private var otherPlace: Place? {
        if let fragment, fragment.samples.extent?.contains(position - fragment.origin) == true { return nil }
        guard let place = places.last(where: { $0.extent.contains(position) }), place.origin != fragment?.origin else {
            return nil
        }
        return place
    }

    private mutating func fetch(_ next: Want) -> Step {
        want = next
        let start: Int64, count: Int
        switch next {
        case .box: (start, count) = (position + Int64(held.count), target - held.count)
        case .sample(let sample, let place): (start, count) = (place, sample.size)
        case .fragment(let place): (start, count) = (place.origin, place.size)
        }
        wanted = count
        return basePosition == start + Int64(partial.count) ? .take(count - partial.count) : .seek(start + Int64(partial.count))
    }

    // MARK: - The base

    /// So many bytes have passed.
    mutating func passed(_ count: Int) {
        position += Int64(count)
        basePosition += Int64(count)
    }

    /// The base has gone there.
    mutating func moved(to offset: Int64) { basePosition = offset }

    /// The reader goes elsewhere; the base is there.
    mutating func move(to offset: Int64) {
        if offset != position || !held.isEmpty || !ready.isEmpty { boxEnd = enclosing(offset) }
        (position, basePosition, ready, held, target, want, isAtEnd) = (offset, offset, [], [], 8, nil, false)
        partial = []
    }

    /// The end of the samples around an offset, which then is no start of a box; the offset itself for none.
    private func enclosing(_ offset: Int64) -> Int64 {
        if let extent = movie?.samples.extent, extent.contains(offset) { return extent.upperBound }
        return places.last { $0.extent.contains(offset) }?.extent.upperBound ?? offset
    }

    /// Bytes of the base that were wanted, at most as many; none at its end.
    mutating func take(_ new: [UInt8]) {
        basePosition += Int64(new.count)
        partial += new
        guard new.isEmpty || partial.count >= wanted else { return }
        let bytes = partial
        partial = []
        switch want {
        case .sample(let sample, let start): takeSample(bytes, sample, start)
        case .fragment(let place):
            want = nil
            if let movie { fragment = (place.origin, FragmentProtection(bytes, of: movie, at: place.origin).samples) }
        case .box:
            held += bytes
            if bytes.count < wanted { give(held, until: .max) } else { takeBox() }
        case nil: break
        }
    }

    /// Gives what was read at the start of a box, whose rest passes.
    private mutating func give(_ bytes: [UInt8], until end: Int64) {
        isAtEnd = bytes.isEmpty
        // At the end of what grows, more may follow: with a box.
        boxEnd = bytes.isEmpty ? position : end
        (ready, held, target, want) = (bytes[...], [], 8, nil)
    }

    private mutating func takeBox() {
        let start = held[...], kind = start.dropFirst(4).prefix(4)
        if start.prefix(4).elementsEqual([0, 0, 0, 1]), held.count < 16 {
            target = 16
            return
        }
        // A size of 0 goes to the end of the file, and so does what is no box.
        guard let head = BoxHead(start), kind.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }) else {
            return give(held, until: .max)
        }
        let (end, isFar) = position.addingReportingOverflow(Int64(head.size))
        let limit = head.kind == "moov" ? Self.movieLimit : head.kind == "moof" && movie != nil ? Self.fragmentLimit : 0
        guard head.size <= limit else { return give(held, until: isFar ? .max : end) }
        guard head.size <= held.count else {
            target = head.size
            return
        }
        if head.kind == "moov" {
            let found = MovieProtection(held, keys: keys)
            locked = found.missing.min { $0.description < $1.description }
            (movie, fragment, places) = (found.isNeeded ? found : nil, nil, [])
            return give(found.bytes, until: end)
        }
        guard let movie else { return give(held, until: end) }
        let found = FragmentProtection(held, of: movie, at: position)
        fragment = (position, found.samples)
        remember(found.samples, size: held.count)
        give(found.bytes, until: end)
    }

    private mutating func remember(_ samples: SampleTable, size: Int) {
        guard isMovable, places.count < Self.placeLimit, let extent = samples.extent,
            !places.contains(where: { $0.origin == position })
        else { return }
        let range = extent.lowerBound.saturatingSum(position)..<extent.upperBound.saturatingSum(position)
        places.append(Place(origin: position, size: size, extent: range))
    }

    private mutating func takeSample(_ bytes: [UInt8], _ sample: EncryptedSample, _ start: Int64) {
        want = nil
        var clear = bytes
        // One that is cut off is decrypted as far as it goes.
        if let key = keys.key(sample.scheme.key) {
            if cipherKey != key {
                cipher = SampleCipher(key: key)
                cipherKey = key
            }
            clear.withUnsafeMutableBytes { cipher?.decrypt(sample, $0) }
        }
        ready = clear.dropFirst(Int(clamping: position - start))
        isAtEnd = ready.isEmpty
    }
}

extension Int64 {
    fileprivate func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, isFar) = addingReportingOverflow(other)
        return isFar ? .max : sum
    }
}
