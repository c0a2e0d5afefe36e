import AetherCore
import Glibc
import Synchronization

/// Carries out adaptation for one source: gathers what a choice goes by at the borders of segments, and keeps the choice until it is taken.
/// Asked by the thread that reads; the note by any.
final class StreamAdapter: Sendable {
    /// The state of playing by now. Never blocks.
    struct View: Sendable {
        var buffer = TimeSpan.zero, capacity = TimeSpan.seconds(30)
        /// The pixels that the surface shows; nil for all.
        var window: PixelSize?
        var speed = 1.0
        /// The point that the decoders take next; nil where nothing is held.
        var next: MediaTime?
        /// Frames since playing began.
        var dropped = 0, shown = 0

        /// With the surface and the counts of frames.
        func with(_ sink: any VideoSink, dropped: Int, shown: Int) -> View {
            var view = self
            (view.window, view.dropped, view.shown) = (sink.demand.box, dropped, shown)
            return view
        }
    }
    private struct State {
        var isOn: Bool
        /// The person has chosen a variant.
        var isPinned = false
        /// Those among which it chooses: of the camera angle that is shown.
        var variants: [MediaVariant] = []
        /// Those of all angles.
        var all: [MediaVariant] = []
        var adaptation: Adaptation?
        var link = LinkEstimate()
        var drops = DropWatch()
        var segment = TimeSpan.seconds(6)
        /// Of a broadcast.
        var edge: MediaTime?
        /// The segment at which a choice was made last.
        var decided: (number: Int64, variant: MediaVariant.ID)?
        var lookedAt: HostTime?
        var decision: Adaptation.Decision?
        var note: AdaptationNote?
    }
    private let state: Mutex<State>
    private let options: AdaptationOptions
    private let wishes: VariantChoice
    private let decoding: DecodingBudget
    private let view: @Sendable () -> View
    private let samples: @Sendable () -> (samples: [LinkSample], latency: TimeSpan?)
    private let time: any TimeSource
    private static let log = Log.module("net")
    /// A segment on its way is looked at no more often.
    private static let glance = TimeSpan.milliseconds(250)

    init(
        _ options: AdaptationOptions, wishes: VariantChoice = VariantChoice(), decoding: DecodingBudget, time: any TimeSource,
        view: @escaping @Sendable () -> View,
        samples: @escaping @Sendable () -> (samples: [LinkSample], latency: TimeSpan?)
    ) {
        (self.options, self.wishes, self.decoding, self.time) = (options, wishes, decoding, time)
        (self.view, self.samples) = (view, samples)
        state = Mutex(State(isOn: options.isOn))
    }

    /// The last choice; nil for a source without one.
    var note: AdaptationNote? { state.withLock { $0.note } }

    /// The source is open, in one of its variants. Fewer than two leave nothing to choose. A single one that the person's wishes leave is held
    /// until the person says otherwise; then all can be chosen.
    func begin(_ all: [MediaVariant], active: MediaVariant.ID) {
        let wished = wishes.left(of: all) ?? all, isHeld = wished.count == 1
        let open = isHeld ? VariantChoice().left(of: all) ?? all : wished
        let other = all.first { $0.id == active && $0.isOtherAngle }
        let variants = other.map { Self.sharing($0, all) } ?? open
        let others = all.filter(\.isOtherAngle)
        guard variants.count + others.count > 1 else { return }
        let ladder = AdaptationLadder(variants, window: view().window, limits: options.limits, decoding: decoding)
        state.withLock { state in
            if isHeld { state.isOn = false }
            (state.variants, state.all) = (variants, open + others)
            state.adaptation = Adaptation(ladder, active: active)
            state.note = AdaptationNote(variant: active)
        }
    }

    /// The person has chosen a variant; nil: adaptation shall choose again, whether it did before or not.
    func pin(_ variant: MediaVariant.ID?) {
        let window = view().window
        state.withLock { state in
            state.isPinned = variant != nil
            if variant == nil { state.isOn = true }
            (state.decision, state.decided) = (nil, nil)
            guard let variant, var ladder = state.adaptation?.ladder else { return }
            if let chosen = state.all.first(where: { $0.id == variant }), chosen.angle != state.variants.first?.angle {
                state.variants = Self.sharing(chosen, state.all)
                ladder = AdaptationLadder(state.variants, window: window, limits: options.limits, decoding: decoding)
            }
            state.adaptation = Adaptation(ladder, active: variant)
            state.note?.variant = variant
        }
    }

    /// The variants of the same camera angle.
    private static func sharing(_ variant: MediaVariant, _ all: [MediaVariant]) -> [MediaVariant] {
        all.filter { $0.angle == variant.angle }
    }

    /// The end of what can be gone to by now; nil for what is no broadcast.
    func note(edge: MediaTime?) { state.withLock { $0.edge = edge } }

    /// The budget of so many decoder threads, nil for as many as a stream needs: more than there are cores decode no faster.
    static func decodingBudget(_ threads: Int?) -> DecodingBudget {
        DecodingBudget(cores: max(1, min(threads ?? ThreadBudget.limit, Machine.cores)))
    }

    /// Whether the quality is chosen here.
    var isChoosing: Bool { state.withLock { $0.isOn && !$0.isPinned && $0.adaptation != nil } }

    /// A segment is read by half: the next one may be asked for. Returns whether it is one of the same variant.
    func isFollowed(_ number: Int64, duration: TimeSpan) -> Bool {
        guard isChoosing else { return true }
        let view = view(), (samples, latency) = samples(), now = time.now()
        return state.withLock { state in
            guard let active = state.adaptation?.active, state.decision == nil else { return state.decision == nil }
            if let decided = state.decided, decided == (number, active) { return true }
            if duration > .zero { state.segment = duration }
            for sample in samples { state.link.add(sample) }
            if state.drops.note(dropped: view.dropped, shown: view.shown, of: active, now: now) {
                Self.log.warning("too many frames of a variant are dropped: it is left for a while")
            }
            state.adaptation?.set(
                AdaptationLadder(
                    state.variants, window: view.window, limits: options.limits, decoding: decoding,
                    banned: state.drops.banned(now)))
            let situation = situation(view, state, latency)
            guard let decision = state.adaptation?.decide(now, situation) else { return true }
            state.decided = (number, decision.variant)
            take(decision, situation, &state)
            return decision.entry == .none
        }
    }

    /// Whether a segment that is on its way is given up.
    func isGivenUp(_ load: @autoclosure () -> Adaptation.Load?) -> Bool {
        guard isChoosing else { return false }
        let now = time.now()
        let isDue = state.withLock { state in
            if let last = state.lookedAt, now - last < Self.glance { return false }
            state.lookedAt = now
            return state.decision == nil
        }
        guard isDue, let load = load() else { return false }
        let view = view(), (samples, latency) = samples()
        return state.withLock { state in
            for sample in samples { state.link.add(sample) }
            let situation = situation(view, state, latency)
            guard let decision = state.adaptation?.decide(now, situation, load) else { return false }
            take(decision, situation, &state)
            return true
        }
    }

    /// The choice that is to be carried out, once.
    func takeDecision() -> Adaptation.Decision? {
        state.withLock { state in
            defer { state.decision = nil }
            return state.decision
        }
    }

    /// The point that the decoders take next.
    var next: MediaTime? { view().next }

    /// A variant that was chosen cannot be had: the former one goes on.
    func goBack(to variant: MediaVariant.ID) {
        state.withLock { state in
            guard let ladder = state.adaptation?.ladder else { return }
            state.adaptation = Adaptation(ladder, active: variant)
            state.note?.variant = variant
        }
    }

    private func situation(_ view: View, _ state: State, _ latency: TimeSpan?) -> Adaptation.Situation {
        Adaptation.Situation(
            buffer: view.buffer, capacity: view.capacity, link: state.link.rate, latency: latency ?? .zero,
            segment: state.segment,
            speed: view.speed, liveOffset: state.edge.flatMap { edge in view.next.map { edge - $0 } })
    }

    private func take(_ decision: Adaptation.Decision, _ situation: Adaptation.Situation, _ state: inout State) {
        state.note?.reason = decision.reason
        state.note?.linkRate = situation.link
        state.note?.buffer = situation.buffer
        guard decision.entry != .none else { return }
        state.decision = decision
        state.note?.variant = decision.variant
        state.note?.switches += 1
        Self.log.info(
            "variant \(decision.variant): \(decision.reason.words); link \(Int((situation.link ?? 0) / 1000)) kbit/s, held \(situation.buffer)"
        )
    }
}
