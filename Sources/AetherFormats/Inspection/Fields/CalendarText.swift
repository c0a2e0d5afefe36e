/// Points of time as people write them, in UTC.
enum CalendarText {
    /// Seconds from 1904 on, as QuickTime counts.
    static func since1904(_ seconds: UInt64) -> String { text(Int64(clamping: seconds) &- 2_082_844_800) }

    /// Nanoseconds from 2001 on, as Matroska counts.
    static func since2001(nanoseconds: Int64) -> String { text(nanoseconds / 1_000_000_000 + 978_307_200) }

    /// Seconds from 1970 on; empty for what lies beyond the years 1 to 9999.
    static func text(_ seconds: Int64) -> String {
        guard (-62_000_000_000...253_402_300_799).contains(seconds) else { return "" }
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400, clock = seconds - days * 86_400
        let (year, month, day) = date(days)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
            + "\(padded(clock / 3600, 2)):\(padded(clock / 60 % 60, 2)):\(padded(clock % 60, 2))"
    }

    /// The date of a day counted from 1970 on, in years that begin in March: then the leap day is the last one.
    private static func date(_ days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097, day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100), month = (5 * ofYear + 2) / 153
        let civil = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (civil <= 2 ? 1 : 0), civil, ofYear - (153 * month + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
