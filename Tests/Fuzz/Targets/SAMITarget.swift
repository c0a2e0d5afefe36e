import AetherFormats

/// Files of SAMI: whatever the bytes, there is one part or one for each of a few languages, and none is longer than the file.
func fuzzSAMI(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    guard let file = SAMIFile(bytes) else { return }
    precondition((1...8).contains(file.parts.count))
    // A byte that is no UTF-8 may become three.
    precondition(file.parts.allSatisfy { $0.text.count <= 3 * bytes.count && SAMIFile($0.text) != nil })
}
