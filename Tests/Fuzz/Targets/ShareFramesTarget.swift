@testable import AetherSources

/// The messages between the player and `aether-share`, in both directions: the same ones come out however the bytes are cut, none is beyond its
/// bounds, and each is the same after it was written and read again.
func fuzzShareFrames(_ input: UnsafeBufferPointer<UInt8>) {
    let whole = shareFrames(input, piece: max(1, input.count))
    let cut = shareFrames(input, piece: 3)
    precondition(whole.isSound == cut.isSound && whole.frames.count == cut.frames.count)
    for (frame, other) in zip(whole.frames, cut.frames) {
        precondition(frame.kind == other.kind && frame.number == other.number && frame.fields.elementsEqual(other.fields))
        precondition(frame.fields.count + 5 <= WireFrames.limit)
        if let request = ShareRequest(frame) {
            if case .read(_, let offset, let count, let place) = request {
                precondition((1...SharePiece.limit).contains(Int(count)) && Int64(exactly: offset) != nil)
                precondition(Int(place) + Int(count) <= ShareMemory.size)
            }
            precondition(again(request.frame).flatMap { ShareRequest($0) } == request)
        }
        if let answer = ShareAnswer(frame) {
            if case .opened(let size, _) = answer { precondition(Int64(exactly: size) != nil) }
            // A text is shortened where it is written.
            if case .failure(_, _, let text) = answer, text.count > 100 { continue }
            precondition(again(answer.frame).flatMap { ShareAnswer($0) } == answer)
        }
    }
}

private func shareFrames(_ input: UnsafeBufferPointer<UInt8>, piece: Int) -> (frames: [WireFrames.Frame], isSound: Bool) {
    var assembly = WireFrames()
    var frames: [WireFrames.Frame] = []
    do {
        for start in stride(from: 0, to: input.count, by: piece) {
            assembly.take(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input[start..<min(start + piece, input.count)])))
            while let frame = try assembly.next() { frames.append(frame) }
        }
        return (frames, true)
    } catch { return (frames, false) }
}

private func again(_ bytes: [UInt8]) -> WireFrames.Frame? {
    bytes.withUnsafeBufferPointer { shareFrames($0, piece: bytes.count).frames.first }
}
