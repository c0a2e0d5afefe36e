import AetherCore

/// The rates that servers gave last.
extension HistoryDatabase {
    /// More are forgotten, the oldest first: as many servers as a person has.
    static let linkLimit: Int64 = 200
    /// A rate that is older says nothing any more.
    static let linkAge: Int64 = 30 * 24 * 3600
    /// The bits a second that a link may have; anything else is a mistake.
    private static let plausible = 50_000.0...1_000_000_000

    /// Bits a second that a server gave last; nil where that is not known or too long ago. `now`: seconds since 1970.
    public func linkRate(of host: LinkHost, now: Int64) throws(Unavailable) -> Double? {
        let rate = try attempt { () throws(SQLiteError) in
            try database.value(
                "SELECT rate FROM link WHERE host = ? AND measuredAt BETWEEN ? AND ?",
                [.text(host.name), .integer(now - HistoryDatabase.linkAge), .integer(now)])?.real
        }
        return rate.flatMap { HistoryDatabase.plausible.contains($0) ? $0 : nil }
    }

    /// Keeps the bits a second that a server gave; what no link has is not kept. `now`: seconds since 1970.
    public func keep(linkRate rate: Double, of host: LinkHost, now: Int64) throws(Unavailable) {
        guard HistoryDatabase.plausible.contains(rate) else { return }
        try attempt { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.execute(
                    "INSERT OR REPLACE INTO link (host, rate, measuredAt) VALUES (?, ?, ?)",
                    [.text(host.name), .real(rate), .integer(now)])
                try database.execute(
                    "DELETE FROM link WHERE host NOT IN (SELECT host FROM link ORDER BY measuredAt DESC, host LIMIT ?)",
                    [.integer(HistoryDatabase.linkLimit)])
            }
        }
    }
}
