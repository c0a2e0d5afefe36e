/// A date and a time of day of the Gregorian calendar, in UTC, and what they are in seconds since 1970. Pure.
struct CivilTime: Sendable, Equatable {
    var year: Int, month: Int, day: Int
    var hour = 0, minute = 0, second = 0

    /// The date of so many seconds since 1970.
    init(unix: Int64) {
        let days = Int(unix.floored(by: 86_400)), left = Int(unix - Int64(days) * 86_400)
        // Years that begin in March have their leap day at the end; 400 of them have 146 097 days.
        let shifted = days + 719_468
        let era = Int(Int64(shifted).floored(by: 146_097)), dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (left / 3600, left % 3600 / 60, left % 60)
    }

    /// A date as it is written; nil where there is none such. A leap second counts as the one before.
    init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...24).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day, self.hour, self.minute, self.second) = (year, month, day, hour, minute, min(second, 59))
    }

    /// Seconds since 1970.
    var unix: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = Int(Int64(shiftedYear).floored(by: 400)), yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era) * 146_097 + Int64(dayOfEra) - 719_468
        return days * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    }
}

extension Int64 {
    /// Divided, and rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
