import AetherCore
import AetherEngine
import AetherMedia

/// The work of the threads of a served source.
struct ServedWork: Sendable {
    let source: MediaSource
    let name: String
    let wishes: ServedWishes
    let options: LoadOptions
    let state: Monitor<ServedSource.State>
    let interrupt: Interrupt
    let time: any TimeSource
    /// Nil for the source itself.
    let companion: Companion?

    /// Segments of a source without a way back that are kept.
    private static let behind = 10
    private static let log = Log.module("serve")

    /// Opens and serves until it is stopped. `begin` starts a thread that reads the source through for its key frames.
    func run(begin: (@escaping @Sendable () -> Void) -> Void) {
        do throws(MediaError) {
            let packets = try SourcePackets(source, options: options, interrupt: interrupt)
            let result = try ProgrammeOpening(
                source: packets, name: name, wishes: wishes, interrupt: interrupt, companion: companion
            ).run()
            let isGrowing = result.programme.isOneWay
            let cutter = SegmentCutter(
                packets, result.programme, plan: result.plan ?? SegmentPlan(), isGrowing: isGrowing, head: result.head,
                interrupt: interrupt)
            if wishes.hasVariants, companion == nil { openCompanions(packets, result.programme, cutter, isGrowing: isGrowing) }
            if let start = companion?.start { try check(cutter, start) }
            state.update { state in
                state.headers = result.programme.headers
                state.plan = result.plan ?? SegmentPlan()
                if isGrowing { state.store = .sliding }
                if !isGrowing, companion != nil { state.store = SegmentStore(budget: Companion.storeBudget) }
                state.opened = .success(result.programme)
            }
            if let pace = result.programme.pace { return follow(cutter, pace) }
            if result.plan == nil { begin { scan(result.programme) } }
            answer(cutter)
        } catch {
            state.update { state in
                if state.opened == nil { state.opened = .failure(error) }
                state.isStopped = true
            }
        }
    }

    // MARK: - Other qualities

    /// Opens the other qualities, side by side. Blocks until each is open, or has failed.
    private func openCompanions(
        _ packets: SourcePackets, _ programme: ServedProgramme, _ cutter: SegmentCutter, isGrowing: Bool
    ) {
        let companion = Companion(origin: programme.origin, start: isGrowing ? cutter.plan.starts.first : nil)
        guard !isGrowing || companion.start != nil else { return }
        var opening: [(variant: MediaVariant, source: ServedSource)] = []
        let isTemplate = packets.info.container == "dash"
        for variant in Companion.others(packets.variants, than: packets.variant, isTemplate: isTemplate) {
            var options = options
            (options.variantQualifiers, options.requiresVariant) = ([MediaVariantQualifier(variant: variant)], true)
            let other = ServedSource(source, name: name, wishes: wishes, options: options, time: time, companion: companion)
            let isStopped = state.update { state in
                state.companions.append(other)
                return state.isStopped
            }
            if isStopped { other.stop() }
            opening.append((variant, other))
        }
        for (variant, other) in opening {
            do throws(MediaError) {
                _ = try other.waitUntilOpened()
            } catch {
                state.update { state in
                    state.companions.removeAll { $0 === other }
                    if error.code != .interrupted {
                        state.omissions.append(translated("the quality \(variant.name) is left out: \(error)"))
                    }
                }
            }
        }
    }

    /// A quality whose first segment begins elsewhere than that of the others would be numbered otherwise.
    private func check(_ cutter: SegmentCutter, _ start: MediaTime) throws(MediaError) {
        let first = cutter.plan.starts.first
        guard let first, abs((first - start).nanoseconds) < 500_000_000 else {
            throw MediaError(
                .unsupported, "serve", subject: name, reason: "its segments begin elsewhere than those of the others")
        }
    }

    // MARK: - On demand

    private func answer(_ cutter: SegmentCutter) {
        while let (wish, tracks, plan) = nextWish() {
            (cutter.plan, cutter.hasSeams) = (plan, state.read { $0.hasSeams })
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
            state.store.put(cut.segments, number: number)
        }
    }

    // MARK: - Read through

    /// Reads the source through for its key frames: it has no index.
    private func scan(_ programme: ServedProgramme) {
        var end = programme.origin, watch = programme.watch, forms = FormReading()
        let tracks = programme.tracks.filter { $0.kind != .text }
        do throws(MediaError) {
            let packets = try SourcePackets(source, options: options, interrupt: interrupt)
            packets.select(Set(tracks.map(\.stream)))
            while true {
                let step = try packets.next()
                if case .discontinuity = step, !packets.isPlacedByTables { state.update { $0.hasSeams = true } }
                guard case .packet(let packet) = step, let time = packet.pts ?? packet.dts,
                    let track = tracks.first(where: { $0.stream == packet.stream })
                else { continue }
                let form = forms.form(of: packet, track)
                if track.number == programme.leader {
                    end = max(end, time + (packet.duration ?? .zero))
                    if packet.isKey { state.update { $0.plan.add(key: time, form, of: track.number, &watch) } }
                }
                if form.format != track.form.format, !packets.isPlacedByTables { state.update { $0.hasSeams = true } }
                watch.note(form, of: track.number, at: time)
            }
        } catch {
            if error.code == .interrupted { return }
            if error.code != .endOfMedia { Self.log.warning("\(error)") }
        }
        let reached = end, last = watch.close(at: end)
        state.update { $0.plan.finish(at: reached, ended: last) }
    }

    // MARK: - One way

    /// Cuts a source that cannot be sent back: a broadcast as it comes, a pipe as far as a client follows.
    private func follow(_ cutter: SegmentCutter, _ pace: ServedPace) {
        let all = Set(cutter.programme.tracks.map(\.number))
        var former: (length: TimeSpan, made: HostTime)?
        for number in 0..<SegmentPlan.limit {
            guard waits(for: number, pace, former) else { return }
            do throws(MediaError) {
                put(try cutter.cut(number, for: all), number: number)
                former = cutter.plan.range(number).map { ($0.upperBound - $0.lowerBound, time.now()) }
                let plan = cutter.plan.limited(to: number + 1)
                state.update { slide(&$0, to: number, plan, all) }
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

    /// Blocks until a segment is to be made; false where serving ends.
    private func waits(for number: Int, _ pace: ServedPace, _ former: (length: TimeSpan, made: HostTime)?) -> Bool {
        var deadline: HostTime?
        while true {
            let answer = state.wait(until: deadline) { state -> ServedPace.Decision?? in
                if state.isStopped { return .some(nil) }
                let decision = pace.decision(number, asked: state.asked, former: former, now: time.now())
                // The monitor wakes at the first wish; a moment it has to be told.
                if decision == .now { return decision }
                if case .at(let moment) = decision, moment != deadline { return decision }
                return nil
            }
            switch answer {
            case .some(.some(.now)): return true
            case .some(.some(.at(let moment))): deadline = moment
            case .some(.some(.whenAsked)), .none: continue
            case .some(.none): return false
            }
        }
    }

    private func slide(_ state: inout ServedSource.State, to number: Int, _ plan: SegmentPlan, _ tracks: Set<Int>) {
        state.plan = plan
        let former = state.first
        state.first = max(state.first, number - Self.behind)
        // Segments that the budget has dropped are gone.
        while state.first < number, !tracks.contains(where: { state.store.has(SegmentStore.Key(track: $0, number: state.first)) })
        {
            state.first += 1
        }
        for gone in former..<state.first {
            for track in tracks { state.store.remove(SegmentStore.Key(track: track, number: gone)) }
        }
    }
}
