import AetherFormats

/// The heads of a file and of a fragment with encrypted samples: nothing changes its size, and samples have their places in order.
func fuzzSampleProtection(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    guard let head = BoxHead(bytes[...]) else { return }
    let movie = MovieProtection(
        Array(bytes.prefix(head.size)),
        keys: ContentKeys(all: [UInt8](repeating: 1, count: 16), vector: [UInt8](repeating: 2, count: 16)))
    precondition(movie.bytes.count == min(head.size, bytes.count))
    check(movie.samples)
    let rest = Array(bytes.dropFirst(head.size))
    let fragment = FragmentProtection(rest, of: movie, at: 1 << 40)
    precondition(fragment.bytes.count == rest.count)
    check(fragment.samples)
    for (segment, map) in [(rest[...], movie.bytes), (bytes[...], nil)] {
        switch KeyFrameExtent(of: segment, at: 0, map: map) {
        case .bytes(let count): precondition(count > 0)
        case .atLeast(let count): precondition(count > segment.count)
        case .unknown: break
        }
    }
}

private func check(_ samples: SampleTable) {
    guard let extent = samples.extent else { return precondition(samples.count == 0) }
    var place = extent.lowerBound - 1, count = 0
    while count < 200, let sample = samples.sample(endingAfter: place) {
        precondition(sample.size > 0 && sample.vector.count == 16 && sample.offset >= extent.lowerBound)
        precondition(sample.parts.allSatisfy { $0.clear >= 0 && $0.encrypted >= 0 })
        place = sample.offset + Int64(sample.size)
        count += 1
    }
}
