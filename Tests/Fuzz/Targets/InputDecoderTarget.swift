import AetherTerminal

/// The bytes of keys, mouse and paste from a terminal: none may trap, and pieces of any size give the events of the whole.
func fuzzInputDecoder(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    var whole = InputDecoder(), pieces = InputDecoder()
    (whole.pixelMouse, pieces.pixelMouse) = (input.count % 2 == 1, input.count % 2 == 1)
    (whole.expectedCursorReports, pieces.expectedCursorReports) = (input.count % 3, input.count % 3)
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
}
