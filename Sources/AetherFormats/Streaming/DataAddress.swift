/// The bytes that lie in an address itself (`data:`, RFC 2397), as keys and init sections do.
public enum DataAddress {
    /// The bytes; nil for another address, or one whose text cannot be decoded.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard text.prefix(5).lowercased() == "data:", let comma = text.firstIndex(of: ",") else { return nil }
        let kind = text[..<comma].lowercased(), body = StreamAddress.decodedBytes(text[text.index(after: comma)...])
        return kind.hasSuffix(";base64") ? Base64Text.bytes(body) : body
    }
}
