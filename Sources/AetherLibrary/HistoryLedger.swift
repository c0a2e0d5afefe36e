public import AetherCore
import Glibc

/// The history as a player uses it: it asks and tells, a thread of its own reads and writes. Nothing here blocks but `answer` and
/// `close`, and those no longer than they are allowed to. Where there is no database, nothing is known and nothing kept.
public final class HistoryLedger: Sendable {
    /// The answer about a file.
    public struct Answer: Sendable, Equatable {
        /// The number of the question.
        public let number: Int
        /// The record of the file; nil where it is not known.
        public let record: HistoryRecord?
        /// The volume that was heard last, 0 … 1.5.
        public let volume: Double?
        /// Bits a second that the link to the source's server gave last; nil where that is not known.
        public var linkRate: Double?
        /// A sentence for the person, once.
        public let notice: String?
    }

    private enum Job: Sendable {
        case look(Int, HistorySource)
        case keep(HistorySource, HistoryProgress)
        case volume(Double)
        case link(LinkHost, Double)
        case recent(Int)
        case lookForScreen
        case screen(ScreenChoices)
        case lookForFavourites
        case favourite(String, Bool)
    }

    private struct State {
        var lastQuestion = 0
        var answer: Answer?
        var recent: [HistoryRecord]?
        var screen: ScreenChoices?
        var favourites: [String]?
    }

    private let state: Monitor<State>
    private let jobs: Requests<Job, Never>
    /// The most jobs that wait; on a file system that hangs the rest is forgotten.
    private static let jobLimit = 64

    /// The database at `path` is opened with the first job. `wake` is signalled with each answer.
    public init(path: String, wake: WakeHandle? = nil) {
        let state = Monitor(State())
        self.state = state
        jobs = Requests(name: "history", order: .each(limit: Self.jobLimit), staysReady: true) {
            var keeper = Keeper(path: path)
            return { job, _ in
                let isNews = HistoryLedger.carryOut(job, &keeper, state)
                if isNews { wake?.wake() }
                return nil
            }
        }
    }

    /// On the thread. Returns whether the app is to be woken.
    private static func carryOut(_ job: Job, _ keeper: inout Keeper, _ state: Monitor<State>) -> Bool {
        switch job {
        case .recent(let limit):
            let found = keeper.recent(limit)
            state.update { $0.recent = found }
            return true
        case .lookForScreen:
            let found = keeper.screen()
            state.update { $0.screen = found }
            return false
        case .lookForFavourites:
            let found = keeper.favourites()
            state.update { $0.favourites = found }
            return true
        case .look, .keep, .volume, .link, .screen, .favourite:
            guard let answer = keeper.carryOut(job) else { return false }
            return state.update { state in
                guard state.lastQuestion == answer.number else { return false }
                state.answer = answer
                return true
            }
        }
    }

    /// Asks for what is known of a file; the answer to an earlier question is forgotten. Returns the number of the question.
    @discardableResult
    public func look(for source: HistorySource) -> Int {
        let number = state.update { state in
            state.lastQuestion += 1
            state.answer = nil
            return state.lastQuestion
        }
        jobs.ask(.look(number, source))
        return number
    }

    /// The answer to the last question, once; waits for it at most until then.
    public func answer(until deadline: HostTime) -> Answer? {
        state.wait(until: deadline) { state in
            defer { state.answer = nil }
            return state.answer
        }
    }

    /// The answer, once, if it is there.
    public func takeAnswer() -> Answer? {
        state.update { state in
            defer { state.answer = nil }
            return state.answer
        }
    }

    /// Asks for the files that were played last, the latest first; those that are gone are left out.
    public func lookForRecent(limit: Int) { jobs.ask(.recent(limit)) }

    /// The files that were played last, once; waits for them at most until then.
    public func recent(until deadline: HostTime) -> [HistoryRecord]? {
        state.wait(until: deadline) { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// The files that were played last, once, if they are there.
    public func takeRecent() -> [HistoryRecord]? {
        state.update { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// Keeps how far a file was played.
    public func keep(_ progress: HistoryProgress, of source: HistorySource) {
        jobs.ask(.keep(source, progress))
    }

    /// The choices for the screen; waits for it at most until then. Nil: that was too short.
    public func screenChoices(until deadline: HostTime) -> ScreenChoices? {
        jobs.ask(.lookForScreen)
        return state.wait(until: deadline) { $0.screen }
    }

    /// Asks for the channels that are favourites.
    public func lookForFavourites() { jobs.ask(.lookForFavourites) }

    /// The favourites, once, if they are there.
    public func takeFavourites() -> [String]? {
        state.update { state in
            defer { state.favourites = nil }
            return state.favourites
        }
    }

    /// Keeps a channel as a favourite, or forgets it.
    public func keep(favourite channel: String, _ isOn: Bool) { jobs.ask(.favourite(channel, isOn)) }

    /// Keeps what was chosen for the screen.
    public func keep(_ choices: ScreenChoices) { jobs.ask(.screen(choices)) }

    /// Keeps the volume, 0 … 1.5.
    public func keep(volume: Double) { jobs.ask(.volume(volume)) }

    /// Keeps the bits a second that the link to a source's server gave; of files nothing is kept.
    public func keep(linkRate: Double, of source: HistorySource) {
        if let host = source.linkHost { jobs.ask(.link(host, linkRate)) }
    }

    /// Writes what is still to be written, for at most so long; false where that was too short. Nothing is kept any more afterwards.
    @discardableResult
    public func close(within span: TimeSpan) -> Bool {
        jobs.close(until: SystemTime().now() + span)
    }

    /// The thread's own part.
    private struct Keeper {
        private let database: HistoryDatabase?
        private var notice: String?
        /// Files that were looked for are not read again to be kept: it may take long, and they may be gone.
        private var identities: [HistorySource: FileIdentity] = [:]
        private static let log = Log.module("history")

        init(path: String) {
            do throws(HistoryDatabase.Unavailable) {
                let database = try HistoryDatabase(path: path)
                notice = database.damageNotice
                self.database = database
            } catch {
                Keeper.log.warning("nothing is remembered: \(error)")
                database = nil
            }
        }

        mutating func carryOut(_ job: Job) -> Answer? {
            do throws(HistoryDatabase.Unavailable) {
                switch job {
                case .look(let number, let source): return try look(number, source)
                case .keep(let source, let progress):
                    let identity = identities[source] ?? FileIdentity(of: source)
                    try database?.save(HistoryRecord(identity: identity, progress: progress, playedAt: Int64(time(nil))))
                case .volume(let volume): try database?.set(.volume, to: volume)
                case .link(let host, let rate): try database?.keep(linkRate: rate, of: host, now: Int64(time(nil)))
                case .screen(let choices): try database?.keep(choices)
                case .favourite(let channel, let isOn): try database?.keep(favourite: channel, isOn, now: Int64(time(nil)))
                case .recent, .lookForScreen, .lookForFavourites: break
                }
            } catch {
                Keeper.log.warning("\(error)")
                if case .look(let number, _) = job { return Answer(number: number, record: nil, volume: nil, notice: nil) }
            }
            return nil
        }

        /// Nothing where there is no database, or it cannot be read: the person is not told twice.
        func recent(_ limit: Int) -> [HistoryRecord] {
            do throws(HistoryDatabase.Unavailable) {
                // Some are gone by now: three times as many as are wanted are looked through.
                let records = try database?.recent(limit: min(limit, 100) * 3) ?? []
                let there = records.filter { record in
                    let place = record.identity.location
                    // A URL without its tokens opens nothing.
                    if !place.hasPrefix("/") { return !place.contains(Redaction.mark) }
                    return access(PathText.cString(place), R_OK) == 0
                }
                return Array(there.prefix(limit))
            } catch {
                Keeper.log.warning("\(error)")
                return []
            }
        }

        func favourites() -> [String] {
            do throws(HistoryDatabase.Unavailable) {
                return try database?.favourites() ?? []
            } catch {
                Keeper.log.warning("\(error)")
                return []
            }
        }

        func screen() -> ScreenChoices {
            do throws(HistoryDatabase.Unavailable) {
                return try database?.screenChoices() ?? ScreenChoices()
            } catch {
                Keeper.log.warning("\(error)")
                return ScreenChoices()
            }
        }

        private mutating func look(_ number: Int, _ source: HistorySource) throws(HistoryDatabase.Unavailable) -> Answer {
            defer { notice = nil }
            guard let database else { return Answer(number: number, record: nil, volume: nil, notice: nil) }
            if identities.count > 64 { identities = [:] }
            let identity = FileIdentity(of: source)
            identities[source] = identity
            let volume = try database.setting(.volume).flatMap { (0...1.5).contains($0) ? $0 : nil }
            let rate = try source.linkHost.flatMap { host throws(HistoryDatabase.Unavailable) in
                try database.linkRate(of: host, now: Int64(time(nil)))
            }
            return Answer(
                number: number, record: try database.record(of: identity), volume: volume, linkRate: rate, notice: notice)
        }
    }
}
