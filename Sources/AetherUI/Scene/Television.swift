import AetherCore
import AetherFormats

/// The channels that can be watched, and what is on: a value, read by every part of the screen.
struct Television: Sendable {
    let book: ChannelBook
    /// nil until they are read.
    var names: ChannelNames?
    var guide = Guide()
    /// A guide was asked for and is not there yet.
    var awaitsGuide = false
    /// `ChannelBook.memoryKey` of each favourite.
    var favourites: Set<String> = []
    /// The channel that plays, and the one before it; from 0.
    private(set) var present: Int?
    private(set) var last: Int?
    /// A programme of the past plays.
    private(set) var past: GuideProgramme?
    /// Digits of a number that is being typed, and the time at which it counts.
    private(set) var typed = ""
    private(set) var typedUntil: HostTime?
    /// The clock of the wall at a time of the program's clock, in seconds since 1970, and how far the person is east of Greenwich.
    var clock: (host: HostTime, unix: Int64, east: Int64) = (HostTime(nanoseconds: 0), 0, 0)

    /// 1.5 s after the last digit the number counts.
    static let typingPause = TimeSpan.seconds(1.5)
    /// More digits than a list has channels.
    private static let digitLimit = 6

    init(_ book: ChannelBook) { self.book = book }

    /// Seconds since 1970.
    func unix(at now: HostTime) -> Int64 { clock.unix + (now - clock.host).nanoseconds / 1_000_000_000 }

    /// Seconds since 1970 for things that are drawn: the clock is set with each look at the engine.
    var unix: Int64 { clock.unix }

    /// "20:15" where the person is.
    func timeOfDay(_ unix: Int64) -> String {
        let second = ((unix + clock.east) % 86_400 + 86_400) % 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(second / 3600)):\(two(second / 60 % 60))"
    }

    /// Days from today where the person is: 0 for today.
    func days(_ unix: Int64) -> Int64 { Self.day(unix + clock.east) - Self.day(self.unix + clock.east) }

    private static func day(_ unix: Int64) -> Int64 { unix >= 0 ? unix / 86_400 : (unix - 86_399) / 86_400 }

    /// The present and the next programme of a channel.
    func nowNext(of channel: Int) -> NowNext { guide.nowNext(of: channel, at: unix) }

    /// Another channel plays, or none of the list.
    mutating func play(_ ticket: ChannelTicket?) {
        if let present, present != ticket?.index { last = present }
        (present, past) = (ticket?.index, ticket?.past)
    }

    /// The channel so many on, or back; round the ends.
    func step(_ count: Int) -> Int? {
        let total = book.list.count
        guard total > 0 else { return nil }
        guard let present = present ?? last else { return count > 0 ? 0 : total - 1 }
        return ((present + count) % total + total) % total
    }

    /// So many channels to be seen together: the present one, the other favourites, and those that follow it.
    func sideBySide(_ limit: Int) -> [Int] {
        guard let present else { return [] }
        let total = book.list.count, following = (1..<max(1, total)).lazy.map { (present + $0) % total }
        var chosen = [present]
        if !favourites.isEmpty { chosen += following.filter { self.isFavourite($0) }.prefix(limit - 1) }
        for channel in following.prefix(limit * 2) where chosen.count < limit && !chosen.contains(channel) {
            chosen.append(channel)
        }
        return chosen
    }

    /// The channels that are likely to be watched next, the likeliest first: the next, the previous, the last one, the next but one. None beside a
    /// programme of the past.
    func likelyNext(_ limit: Int) -> [Int] {
        guard let present, past == nil else { return [] }
        var likely: [Int] = []
        for case let channel? in [step(1), step(-1), last, step(2)] where channel != present && !likely.contains(channel) {
            likely.append(channel)
        }
        return Array(likely.prefix(max(0, limit)))
    }

    func isFavourite(_ channel: Int) -> Bool { !favourites.isEmpty && favourites.contains(book.memoryKey(channel)) }

    /// "7 One".
    func label(_ channel: Int) -> String { "\(book.list.number(channel)) \(book.list.name(channel))" }

    // MARK: - Numbers

    /// Another digit of a number.
    mutating func type(_ digit: Character, now: HostTime) {
        if typed.count < Self.digitLimit { typed.append(digit) }
        typedUntil = now + Self.typingPause
    }

    /// The number that was typed, once its time has come or `isDone`; nil while there is none.
    mutating func takeNumber(at now: HostTime, isDone: Bool = false) -> Int? {
        guard let until = typedUntil, isDone || now >= until else { return nil }
        defer { (typed, typedUntil) = ("", nil) }
        return Int(typed)
    }

    /// The number is not wanted any more.
    mutating func dropNumber() { (typed, typedUntil) = ("", nil) }
}
