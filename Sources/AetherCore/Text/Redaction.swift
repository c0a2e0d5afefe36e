/// Takes what opens a door out of URLs that become text: what stands before the host (https://name:password@host/), keys in the path, and the
/// values of query, fragment and path parameters that are secret: by their names (token, key, signature, X-Amz-…), or because no person made such
/// a value up (a key of 20 letters and digits). What is shown, logged or told to others loses query and fragment altogether, names included:
/// `?…` and `#…` say that there was one. Pure; linear in the length.
public enum Redaction {
    /// Stands in place of what was taken out. A URL with it is still a URL.
    public static let mark = "***"

    /// A text that is one URL to its end, spaces included, for a memory that has to find it again: of its query and its fragment only
    /// what names the video stays, as in `watch?v=`. What is no URL stays as it is.
    public static func url(_ url: String) -> String { redacted(url, endsAtSpace: false, keepsQuery: true, depth: 0) }

    /// A text that is one URL to its end, for everybody to see: without its query and its fragment.
    public static func shown(_ url: String) -> String { redacted(url, endsAtSpace: false, keepsQuery: false, depth: 0) }

    /// A text with URLs in it, such as a sentence or a library's message: each ends at a space, at a double or curly quote, or at an
    /// angle bracket. Without their queries and fragments.
    public static func text(_ text: String) -> String { redacted(text, endsAtSpace: true, keepsQuery: false, depth: 0) }

    private static let markBytes = Array(mark.utf8)
    private static let border = Array("://".utf8)
    /// Addresses inside of addresses inside of addresses.
    private static let depthLimit = 4

    private static func redacted(_ text: String, endsAtSpace: Bool, keepsQuery: Bool, depth: Int) -> String {
        let source = Array(text.utf8)
        guard var found = next(border, in: source, from: 0) else { return text }
        var result: [UInt8] = []
        var copied = 0
        while true {
            let start = found + border.count
            if found > 0, isSchemeByte(source[found - 1]) {
                let end = endsAtSpace ? source[start...].indices.first { ends(source, at: $0) } ?? source.count : source.count
                result += source[copied..<start] + address(source[start..<end], keepsQuery: keepsQuery, depth: depth)
                copied = end
            }
            guard let another = next(border, in: source, from: max(start, copied)) else { break }
            found = another
        }
        result += source[copied...]
        return result == source ? text : String(decoding: result, as: UTF8.self)
    }

    /// The part behind the slashes: authority, path, query and fragment.
    private static func address(_ bytes: ArraySlice<UInt8>, keepsQuery: Bool, depth: Int) -> [UInt8] {
        let authority = bytes.prefix { $0 != slash && $0 != question && $0 != hash }
        var result: [UInt8] = []
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            result += markBytes + authority[at...]
        } else {
            result += authority
        }
        let rest = bytes[authority.endIndex...]
        let path = rest.prefix { $0 != question && $0 != hash }
        // A proxy's address may hold a whole other one in its path.
        if next(border, in: Array(path), from: 0) != nil {
            guard depth < depthLimit else { return result + [slash] + markBytes }
            let inner = String(decoding: rest, as: UTF8.self)
            return result + redacted(inner, endsAtSpace: false, keepsQuery: keepsQuery, depth: depth + 1).utf8
        }
        result += parts(of: path, at: { [slash, semicolon, UInt8(ascii: " ")].contains($0) }, isPath: true, depth: depth)
        let query = rest[path.endIndex...].prefix { $0 != hash }
        let fragment = rest[query.endIndex...]
        guard keepsQuery else { return result + hidden(query) + hidden(fragment) }
        let isSeparator = { [question, hash, semicolon, UInt8(ascii: "&"), UInt8(ascii: " ")].contains($0) }
        result += parts(of: query, at: isSeparator, isPath: false, depth: depth)
        return result + parts(of: fragment, at: isSeparator, isPath: false, depth: depth)
    }

    /// The sign that a query or a fragment begins with, and that there was one; what is empty stays.
    private static func hidden(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.count > 1 ? bytes.prefix(1) + Array("…".utf8) : Array(bytes)
    }

    /// Each `name=value` between separators, with the value left out where it is secret. A piece without a name behind a secret one belongs to
    /// that one, but for "&", "#" and "/", which no value holds; by itself it is a value, too.
    private static func parts(of bytes: ArraySlice<UInt8>, at isSeparator: (UInt8) -> Bool, isPath: Bool, depth: Int) -> [UInt8] {
        var path = PathSecret(isPath ? bytes.split(separator: slash).map(percentDecoded) : [])
        var result: [UInt8] = []
        var position = bytes.startIndex
        var followsSecret = false
        while position < bytes.endIndex {
            let first = isSeparator(bytes[position]) ? position + 1 : position
            let end = bytes[first...].firstIndex(where: isSeparator) ?? bytes.endIndex
            let piece = bytes[first..<end], separator = bytes[position..<first]
            position = end
            if isPath, path.hides(percentDecoded(piece), begins: separator.first.map { $0 == slash } ?? true) {
                followsSecret = true
                result += separator + markBytes
            } else if let equals = piece.firstIndex(of: UInt8(ascii: "=")) {
                let name = piece[..<equals], value = piece[(equals + 1)...]
                followsSecret = !value.isEmpty && isSecret(name, value, isPath: isPath, depth: depth)
                result += separator + piece[...equals] + (followsSecret ? markBytes[...] : value)
            } else if !followsSecret || separator.first.map({ [slash, hash, UInt8(ascii: "&")].contains($0) }) ?? true {
                followsSecret = !isPath && !piece.isEmpty
                result += separator + (followsSecret ? markBytes[...] : piece)
            }
        }
        return result
    }

    /// In a query all is secret but what names the video: who signs addresses gives his fields any name.
    private static func isSecret(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, isPath: Bool, depth: Int) -> Bool {
        let word = letters(of: name)
        if isSecretName(word) || holdsSecret(value, depth: depth) { return true }
        return !plainNames.contains(String(decoding: word, as: UTF8.self)) && (!isPath || isMadeByMachine(value))
    }

    /// Whether the value is an address with a secret of its own, written in percent signs as a rule.
    private static func holdsSecret(_ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard depth < depthLimit else { return true }
        let text = String(decoding: percentDecoded(value), as: UTF8.self)
        return redacted(text, endsAtSpace: false, keepsQuery: true, depth: depth + 1) != text
    }

    /// Words that make a name secret wherever they stand in it, and whole names.
    private static let secretWords = [
        "token", "secret", "password", "passwd", "passphrase", "signature", "apikey", "accesskey", "credential", "authoriz",
        "xamz", "xgoog", "sessionid", "sessid",
    ]
    private static let secretNames: Set<String> = [
        "key", "sig", "sign", "auth", "pass", "pwd", "jwt", "hmac", "sid", "session", "ticket", "policy", "hdnts",
        "hdnea", "hdntl", "st", "hash", "md5", "code", "otp", "pin",
    ]

    /// Names of what is no secret, though it may be long: the video's own.
    private static let plainNames: Set<String> = [
        "v", "id", "list", "video", "videoid", "file", "filename", "name", "path", "title", "q", "t", "index",
        "episode", "season", "lang",
    ]

    private static func isSecretName(_ letters: [UInt8]) -> Bool {
        let word = String(decoding: letters, as: UTF8.self)
        if secretNames.contains(word) { return true }
        if word.hasSuffix("auth") || word.hasPrefix("auth") && !word.hasPrefix("author") { return true }
        return secretWords.contains { next(Array($0.utf8), in: letters, from: 0) != nil }
    }

    /// Letters and digits in small letters, and nothing else.
    private static func letters(of name: ArraySlice<UInt8>) -> [UInt8] {
        percentDecoded(name).compactMap { byte in
            isDigit(byte) ? byte : UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 ? byte | 0x20 : nil
        }
    }

    /// 20 letters and digits in one piece: signed addresses have 27 to 64, and the names of videos 11.
    private static let machineLength = 20

    private static func isMadeByMachine(_ value: ArraySlice<UInt8>) -> Bool {
        let bytes = percentDecoded(value)
        let isOfKeys = { (byte: UInt8) in
            isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || "-_.~+/=".utf8.contains(byte)
        }
        return bytes.count >= machineLength && bytes.contains(where: isDigit) && bytes.contains { $0 >= 0x41 && !isDigit($0) }
            && bytes.allSatisfy(isOfKeys)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static let slash = UInt8(ascii: "/"), question = UInt8(ascii: "?"), hash = UInt8(ascii: "#")
    private static let semicolon = UInt8(ascii: ";")

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func ends(_ bytes: [UInt8], at index: Int) -> Bool {
        switch bytes[index] {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        // ‘ ’ “ ”
        case 0xE2: index + 2 < bytes.count && bytes[index + 1] == 0x80 && [0x98, 0x99, 0x9C, 0x9D].contains(bytes[index + 2])
        default: false
        }
    }

    private static func next(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = wanted.first, start + wanted.count <= bytes.count else { return nil }
        return (start...(bytes.count - wanted.count)).first {
            bytes[$0] == first && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                result.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
