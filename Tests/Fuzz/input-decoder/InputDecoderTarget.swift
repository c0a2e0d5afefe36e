import AetherTerminal

/// What a terminal sends as keys, mouse and paste: no bytes may trap, and pieces of any size give the events of the whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInputDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var whole = InputDecoder(), pieces = InputDecoder()
    (whole.pixelMouse, pieces.pixelMouse) = (count % 2 == 1, count % 2 == 1)
    (whole.expectedCursorReports, pieces.expectedCursorReports) = (count % 3, count % 3)
    let expected = whole.decode(bytes) + whole.resolve()
    var events: [InputEvent] = []
    var rest = bytes[...]
    var size = 1
    while !rest.isEmpty {
        events += pieces.decode(rest.prefix(size))
        rest = rest.dropFirst(size)
        size = size % 7 + 1
    }
    events += pieces.resolve()
    precondition(events == expected, "the events depend on how the bytes were cut")
    precondition(whole.patience == nil, "there is something left after resolve")
    return 0
}
