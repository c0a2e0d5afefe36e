import AetherTerminal

/// A frame that is cut off anywhere leaves the terminal's parser at rest.
func fuzzOutputCut(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 1 else { return }
    let frame = Array(UnsafeBufferPointer(rebasing: input.dropFirst()))
    let sent = Int(input[0]) * frame.count / 255
    let cut = FrameCut.plan(frame: frame, sent: sent, patience: 16)
    precondition((sent...frame.count).contains(cut.end) && cut.end - sent <= 16)
    var scanner = OutputScanner()
    for byte in frame[..<cut.end] + cut.terminator { scanner.take(byte) }
    precondition(scanner.state == .ground, "the cut leaves the terminal inside a sequence")
}
