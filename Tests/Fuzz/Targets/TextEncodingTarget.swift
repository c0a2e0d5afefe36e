import AetherMedia

/// Text of an unknown character set: what comes out is UTF-8, and not much more than went in.
func fuzzTextEncoding(_ input: UnsafeBufferPointer<UInt8>) {
    let text = TextEncoding.utf8(Array(input))
    precondition(String(validating: text, as: UTF8.self) != nil)
    precondition(text.count <= input.count * 4 + 16)
}
