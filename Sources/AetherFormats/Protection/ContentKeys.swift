import AetherCore

/// The name of a content key (KID), 16 bytes.
public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    private let high, low: UInt64

    /// A name of 16 bytes; nil for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A name of 32 hexadecimal digits, with or without dashes; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard let bytes = ContentKeys.bytes(hex: text) else { return nil }
        self.init(bytes)
    }

    /// A name that stands for none: the key comes with each group of samples.
    var isZero: Bool { high == 0 && low == 0 }

    /// 32 hexadecimal digits.
    public var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Keys for encrypted media, by their names. They are secret: neither text nor reflection shows them.
public struct ContentKeys: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Keys at most.
    public static let limit = 1000
    private var keys: [KeyID: [UInt8]] = [:]
    /// A key for all names, and the vector where the media has none.
    private var common: [UInt8]?
    private(set) var commonVector: [UInt8]?

    /// No key.
    public init() {}

    /// One key for all samples, as a playlist of HLS gives it. Key and vector of 16 bytes each.
    public init(all key: [UInt8], vector: [UInt8]) { (common, commonVector) = (key, vector) }

    /// Whether there are no keys.
    public var isEmpty: Bool { keys.isEmpty && common == nil }

    /// The number of keys.
    public var description: String { "\(keys.count + (common == nil ? 0 : 1)) keys" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The key of a name, 16 bytes; nil where it is not there.
    public func key(_ id: KeyID) -> [UInt8]? { common ?? keys[id] }

    /// Adds "KID:KEY", both of 32 hexadecimal digits. False for any other text, and where there are too many keys.
    public mutating func add(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = KeyID(parts[0]), let key = Self.bytes(hex: parts[1]), key.count == 16,
            keys.count < Self.limit
        else { return false }
        keys[id] = key
        return true
    }

    /// Adds the lines of a file, each "KID:KEY"; empty lines and those that begin with # are passed by. Returns the number of the first
    /// wrong line, from 1; nil where all are right.
    public mutating func add(lines: [UInt8]) -> Int? {
        let rows = lines.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in rows.enumerated() {
            let text = String(decoding: line.filter { $0 > 0x20 }.prefix(200), as: UTF8.self)
            guard text.isEmpty || text.hasPrefix("#") || add(text) else { return number + 1 }
        }
        return nil
    }

    /// Adds the keys of a licence of org.w3.clearkey: a JSON object whose "keys" are symmetric keys (RFC 7517). Returns how many it had.
    public mutating func add(licence bytes: [UInt8]) -> Int {
        // An answer that is no JSON has no keys.
        guard let entries = (try? JSON(bytes))?["keys"]?.values else { return 0 }
        var count = 0
        for entry in entries.prefix(Self.limit) {
            guard let id = entry["kid"]?.text.flatMap({ Base64Text.bytes(Array($0.utf8)) }).flatMap({ KeyID($0) }),
                let key = entry["k"]?.text.flatMap({ Base64Text.bytes(Array($0.utf8)) }), key.count == 16
            else { continue }
            keys[id] = key
            count += 1
        }
        return count
    }

    /// The keys of both; where a name is in both, that of `other`.
    public func merging(_ other: ContentKeys) -> ContentKeys {
        var result = self
        result.keys.merge(other.keys) { $1 }
        (result.common, result.commonVector) = (other.common ?? common, other.commonVector ?? commonVector)
        return result
    }

    /// The request for a licence: the names that are wanted (Encrypted Media Extensions, 9.1.3).
    public static func request(_ ids: [KeyID]) -> String {
        let names = ids.prefix(limit).map { JSON.string(base64($0)) }
        return JSON.object([("kids", .array(names)), ("type", .string("temporary"))]).line
    }

    private static func base64(_ id: KeyID) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let bytes = bytes(hex: id.description) ?? []
        var text = "", word = 0, bits = 0
        for byte in bytes {
            word = word << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letters[word >> bits & 63])
            }
        }
        if bits > 0 { text.append(letters[word << (6 - bits) & 63]) }
        return text
    }

    static func bytes(hex text: some StringProtocol) -> [UInt8]? {
        // Dashes part the digits of a UUID.
        let digits = text.unicodeScalars.filter { $0 != "-" }.map { Character($0).isASCII ? Character($0).hexDigitValue : nil }
        guard digits.count % 2 == 0, digits.count <= 64, !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
