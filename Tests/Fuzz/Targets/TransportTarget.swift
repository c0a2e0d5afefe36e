import AetherFormats

/// The splice of a transport stream: however the bytes are cut, the same is found, and what was cleared stays so.
func fuzzTransport(_ input: UnsafeBufferPointer<UInt8>) {
    let whole = watch(input, step: max(1, input.count)), pieces = watch(input, step: 61)
    precondition(whole.place == pieces.place && whole.codecs == pieces.codecs)
}

private func watch(_ input: UnsafeBufferPointer<UInt8>, step: Int) -> TransportSplice {
    var splice = TransportSplice()
    var start = 0
    while start < input.count {
        let before = splice.cleared, end = min(input.count, start + step)
        splice.take(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input[start..<end])))
        precondition(splice.cleared >= before && splice.cleared <= Int64(end))
        precondition(splice.place.map { $0 > 0 && $0 == splice.cleared } ?? true)
        start = end
    }
    return splice
}
