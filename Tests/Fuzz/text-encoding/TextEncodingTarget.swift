import AetherMedia

/// Text of an unknown character set: what comes out is UTF-8, and not much more than went in.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTextEncoding(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = TextEncoding.utf8(Array(UnsafeBufferPointer(start: start, count: count)))
    precondition(String(validating: text, as: UTF8.self) != nil)
    precondition(text.count <= count * 4 + 16)
    return 0
}
