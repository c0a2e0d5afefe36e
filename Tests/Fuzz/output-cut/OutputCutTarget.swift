import AetherTerminal

/// A frame that is cut off anywhere leaves the terminal's parser at rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOutputCut(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let frame = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let sent = Int(start[0]) * frame.count / 255
    let cut = FrameCut.plan(frame: frame, sent: sent, patience: 16)
    precondition((sent...frame.count).contains(cut.end) && cut.end - sent <= 16)
    var scanner = OutputScanner()
    for byte in frame[..<cut.end] + cut.terminator { scanner.take(byte) }
    precondition(scanner.state == .ground, "the cut leaves the terminal inside a sequence")
    return 0
}
