import AetherCore
import AetherEngine
import AetherMedia

/// The work of the threads of a served source.
struct ServedWork: Sendable {
    let source: MediaSource
    let name: String
    let bridge: AudioBridge
    let options: LoadOptions
    let state: Monitor<ServedSource.State>
    let interrupt: Interrupt

    /// Segments of a source without a way back that are made before anybody asks for them, and kept behind.
    private static let ahead = 6, behind = 10
    /// Players begin with the third segment from the end of a playlist that is not over: of so many that is the first.
    private static let first = 3
    private static let log = Log.module("serve")

    /// Opens and serves until it is stopped. `begin` starts a thread that reads the source through for its key frames.
    func run(begin: (@escaping @Sendable () -> Void) -> Void) {
        do throws(MediaError) {
            let packets = try SourcePackets(source, options: options, interrupt: interrupt)
            let result = try ProgrammeOpening(source: packets, name: name, bridge: bridge).run()
            let isGrowing = packets.isLive || packets.seekable == nil
            state.update { state in
                state.headers = result.programme.headers
                state.plan = result.plan ?? SegmentPlan()
                state.opened = .success(result.programme)
            }
            let cutter = SegmentCutter(
                packets, result.programme, plan: result.plan ?? SegmentPlan(), isGrowing: isGrowing, head: result.head)
            if isGrowing { return follow(cutter) }
            if result.plan == nil { begin { scan(result.programme) } }
            answer(cutter)
        } catch {
            state.update { state in
                if state.opened == nil { state.opened = .failure(error) }
                state.isStopped = true
            }
        }
    }

    // MARK: - On demand

    private func answer(_ cutter: SegmentCutter) {
        while let (wish, tracks, plan) = nextWish() {
            cutter.plan = plan
            do throws(MediaError) {
                put(try cutter.cut(wish.number, for: tracks), number: wish.number)
                state.update { state in
                    // A track that has nothing there answers with nothing, but it answers.
                    if !state.store.has(wish) { state.failures[wish] = .missing }
                    forgetFailures(&state)
                    state.wishes.removeAll { $0 == wish }
                }
            } catch {
                if error.code == .interrupted { return }
                Self.log.warning("\(error)")
                let refusal: ServedSource.Refusal = error.code == .endOfMedia ? .missing : .failed(error.reason)
                state.update { state in
                    state.failures[wish] = refusal
                    forgetFailures(&state)
                    state.wishes.removeAll { $0 == wish }
                }
            }
        }
    }

    /// A client that asks for segments that are not there must not fill the memory.
    private func forgetFailures(_ state: inout ServedSource.State) {
        while state.failures.count > 1000, let any = state.failures.keys.first { state.failures[any] = nil }
    }

    private func nextWish() -> (SegmentStore.Key, Set<Int>, SegmentPlan)? {
        state.wait(until: nil) { state -> (SegmentStore.Key, Set<Int>, SegmentPlan)?? in
            if state.isStopped { return .some(nil) }
            state.wishes.removeAll { state.store.has($0) }
            // Where the scan has not come so far, the wish waits for it.
            guard let wish = state.wishes.first(where: { $0.number < state.plan.count || state.plan.isComplete }) else {
                return nil
            }
            return (wish, state.tracks, state.plan)
        } ?? nil
    }

    private func put(_ cut: SegmentCutter.Cut, number: Int) {
        state.update { state in
            state.headers.merge(cut.headers) { $1 }
            for (track, bytes) in cut.segments { state.store.put(bytes, at: SegmentStore.Key(track: track, number: number)) }
        }
    }

    // MARK: - Read through

    /// Reads the source through for its key frames: it has no index.
    private func scan(_ programme: ServedProgramme) {
        guard let leader = programme.tracks.first(where: { $0.number == programme.leader }) else { return }
        var end = programme.origin
        do throws(MediaError) {
            let packets = try SourcePackets(source, options: options, interrupt: interrupt)
            packets.select([leader.stream])
            while true {
                guard case .packet(let packet) = try packets.next(), let time = packet.pts ?? packet.dts else { continue }
                end = max(end, time + (packet.duration ?? .zero))
                if packet.isKey { state.update { $0.plan.add(key: time, format: packet.format) } }
            }
        } catch {
            if error.code == .interrupted { return }
            if error.code != .endOfMedia { Self.log.warning("\(error)") }
        }
        let reached = end
        state.update { $0.plan.finish(at: reached) }
    }

    // MARK: - One way

    /// Cuts a source that cannot be sent back: a broadcast as it comes, a pipe as far as a client follows.
    private func follow(_ cutter: SegmentCutter) {
        let all = Set(cutter.programme.tracks.map(\.number)), isLive = cutter.programme.isLive
        for number in 0..<SegmentPlan.limit {
            if !isLive {
                let mayGoOn = state.wait(until: nil) { state -> Bool? in
                    state.isStopped
                        ? false : number < Self.first || state.asked > 0 && number <= state.asked + Self.ahead ? true : nil
                }
                guard mayGoOn ?? false else { return }
            }
            do throws(MediaError) {
                let cut = try cutter.cut(number, for: all)
                put(cut, number: number)
                state.update { state in
                    state.plan = cutter.plan.limited(to: number + 1)
                    state.first = max(state.first, number - Self.behind)
                    // Segments that the budget has dropped are gone.
                    while state.first < number,
                        !all.contains(where: { state.store.has(SegmentStore.Key(track: $0, number: state.first)) })
                    {
                        state.first += 1
                    }
                    for track in all where state.first > 0 {
                        state.store.remove(SegmentStore.Key(track: track, number: state.first - 1))
                    }
                }
            } catch {
                if error.code != .endOfMedia { Self.log.warning("\(error)") }
                return state.update { state in
                    state.plan = cutter.plan
                    state.plan.finish(at: cutter.plan.starts.last ?? .zero)
                    for wish in state.wishes where !state.store.has(wish) { state.failures[wish] = .missing }
                }
            }
        }
    }
}
