/// The secrets in the path of an address: keys between two slashes. Pure; linear in the length.
struct PathSecret {
    /// The piece before, in small letters: of "/token/abc/" that is "token" when "abc" is looked at.
    private var name: [UInt8] = []
    /// Pieces that are name and password of a person: of "/live/NAME/PASSWORD/1.ts", as servers of television have it.
    private let account: Range<Int>
    private var index = -1
    private var isNew = true

    /// A look at a path whose pieces between slashes these are, with percent signs taken out.
    init(_ pieces: [[UInt8]]) {
        let kinds = ["live", "movie", "series", "timeshift", "hlsr"]
        guard let kind = pieces.first, kinds.contains(String(decoding: kind, as: UTF8.self)), pieces.count > 3,
            // In a sentence a sign may follow.
            let last = pieces.last?.prefix(while: { PathSecret.kind($0) != 0 || $0 == UInt8(ascii: ".") }),
            let digit = last.first,
            PathSecret.isDigit(digit), PathSecret.stem(Array(last)).allSatisfy(PathSecret.isDigit)
        else {
            account = 0..<0
            return
        }
        account = 1..<3
    }

    /// Whether the next piece is one; it may be a part of a piece between slashes, the first of them where `begins`.
    mutating func hides(_ piece: [UInt8], begins: Bool) -> Bool {
        isNew = isNew || begins
        guard !piece.isEmpty else { return false }
        if isNew { (index, isNew) = (index + 1, false) }
        defer { name = piece.map { PathSecret.kind($0) == 2 ? $0 | 0x20 : $0 } }
        if account.contains(index) { return true }
        if PathSecret.isKey(piece) { return true }
        // The name of a file behind it is no key.
        return Self.names.contains(String(decoding: name, as: UTF8.self)) && PathSecret.stem(piece).count == piece.count
    }

    /// Whether a piece is made by a machine, for nobody to guess: 32 digits of base 16, or 16 letters and digits in a row, great and small ones
    /// mixed. A UUID names things as a rule, and is none.
    static func isKey(_ piece: [UInt8]) -> Bool {
        // A token of JSON has two dots, and always begins so.
        if piece.count >= 32, piece.starts(with: "eyJ".utf8) { return true }
        var stem = stem(piece)
        while stem.last == UInt8(ascii: "=") { stem.removeLast() }
        if stem.count >= 32, stem.allSatisfy(isHex), stem.contains(where: isDigit), !stem.allSatisfy(isDigit) { return true }
        return stem.split(whereSeparator: { "-_~".utf8.contains($0) }).contains { run in
            guard run.count >= 16 else { return false }
            let kinds = run.map(kind)
            guard !kinds.contains(0), Set(kinds).count == 3 else { return false }
            // By chance three of five differ from the one before; in words that are written together every third.
            let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
            return changes * 5 >= run.count * 2
        }
    }

    private static let names: Set<String> = [
        "token", "secret", "password", "passwd", "pass", "signature", "sig", "apikey", "api-key", "api_key", "accesskey", "auth",
        "jwt",
        "key", "sid", "session", "sessionid", "ticket", "hmac",
    ]

    /// Without a file's ending.
    private static func stem(_ piece: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = piece.lastIndex(of: UInt8(ascii: ".")), dot > 0, 2...6 ~= piece.count - dot,
            piece[(dot + 1)...].allSatisfy({ kind($0) != 0 })
        else { return piece[...] }
        return piece[..<dot]
    }

    /// 1 for small letters, 2 for great ones, 3 for digits, 0 for all else.
    private static func kind(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 1
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): 2
        case UInt8(ascii: "0")...UInt8(ascii: "9"): 3
        default: 0
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { kind(byte) == 3 }

    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20 }
}
