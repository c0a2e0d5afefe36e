/// Times as XMLTV writes them: `20260131203000 +0100`, shorter ones too; without a zone they are UTC. Pure.
enum XMLTVTime {
    /// Zones that are still written by their names, in minutes.
    private static let zones: [String: Int64] = [
        "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "CEST": 120, "MET": 60, "MEST": 120, "EET": 120,
        "EEST": 180, "MSK": 180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480,
        "PDT": -420,
    ]

    /// Seconds since 1970; nil where that is no time.
    static func unix(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let digits = bytes.drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
        guard [4, 6, 8, 10, 12, 14].contains(min(digits.count, 14)) else { return nil }
        let places = Array(digits.prefix(14))
        func part(_ range: Range<Int>, _ fallback: Int) -> Int {
            guard range.upperBound <= places.count else { return fallback }
            return places[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        guard
            let date = CivilTime(
                year: part(0..<4, 0), month: part(4..<6, 1), day: part(6..<8, 1), hour: part(8..<10, 0), minute: part(10..<12, 0),
                second: part(12..<14, 0))
        else { return nil }
        return date.unix - offset(bytes[digits.endIndex...]) * 60
    }

    /// Minutes east of Greenwich: "+0100", "+01:00", "-5", "CEST".
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let text = String(decoding: bytes.prefix(32), as: UTF8.self).filter { $0 != " " && $0 != ":" }
        guard let sign = text.first, sign == "+" || sign == "-" else { return zones[text.uppercased()] ?? 0 }
        let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard let value = Int64(digits), digits.count <= 4 else { return 0 }
        let minutes = digits.count <= 2 ? value * 60 : value / 100 * 60 + value % 100
        guard minutes <= 24 * 60 else { return 0 }
        return sign == "-" ? -minutes : minutes
    }
}
