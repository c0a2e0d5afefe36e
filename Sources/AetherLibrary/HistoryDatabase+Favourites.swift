import AetherCore

/// The channels that a person keeps, by the words that tell them apart in a list: no part of an address.
extension HistoryDatabase {
    /// More are forgotten, the oldest first.
    static let favouriteLimit: Int64 = 5000
    /// A word is at most so long.
    private static let wordLimit = 2000

    /// The favourites, the first kept first.
    public func favourites() throws(Unavailable) -> [String] {
        try attempt { () throws(SQLiteError) in
            try database.rows(
                "SELECT channel FROM favourite ORDER BY keptAt, channel LIMIT ?", [.integer(HistoryDatabase.favouriteLimit)]
            ).compactMap { $0.first?.text }
        }
    }

    /// Keeps a channel, or forgets it. `now`: seconds since 1970.
    public func keep(favourite channel: String, _ isOn: Bool, now: Int64) throws(Unavailable) {
        guard !channel.isEmpty, channel.utf8.count <= HistoryDatabase.wordLimit else { return }
        try attempt { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                guard isOn else { return try database.execute("DELETE FROM favourite WHERE channel = ?", [.text(channel)]) }
                try database.execute(
                    "INSERT OR REPLACE INTO favourite (channel, keptAt) VALUES (?, ?)", [.text(channel), .integer(now)])
                try database.execute(
                    "DELETE FROM favourite WHERE channel NOT IN (SELECT channel FROM favourite ORDER BY keptAt DESC, channel LIMIT ?)",
                    [.integer(HistoryDatabase.favouriteLimit)])
            }
        }
    }
}
