import AetherCore

/// Text of strangers: whatever it was, what is shown is one safe line, and showing it again changes nothing.
func fuzzDisplayText(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    let limit = input.count % 40 + 1
    let line = DisplayText.singleLine(text, limit: limit)
    precondition(!line.unicodeScalars.contains(where: DisplayText.isUnsafe), "a control character got through")
    precondition(line.unicodeScalars.count <= limit + 1, "longer than the limit and an ellipsis")
    let whole = DisplayText.singleLine(text, limit: .max)
    precondition(DisplayText.singleLine(whole, limit: .max) == whole, "not stable")
    let lines = DisplayText.lines(text, limit: limit, lineLimit: 4)
    precondition(lines.count <= 4 && lines.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
}
