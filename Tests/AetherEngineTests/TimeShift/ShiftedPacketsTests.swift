import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Whether a live source that ends early is asked for again.
@Suite struct ShiftedPacketsTests {
    private func packets(_ marks: [(wall: Double, media: Double)], heldBack: Bool = false) -> ShiftedPackets {
        var state = ShiftedPackets(PacketRing(RingMemory(), capacity: 1 << 20, span: .seconds(60), lead: nil, leadHasKeys: false))
        for mark in marks { state.note(.seconds(mark.media), at: at(mark.wall)) }
        state.wasHeldBack = heldBack
        return state
    }

    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 1_000_000_000) + .seconds(seconds) }

    /// A burst of three seconds, then the pace of time.
    private let paced = stride(from: 0.0, through: 20, by: 0.1).map { (wall: $0, media: $0 < 0.05 ? 0 : $0 + 3) }

    @Test func whatCameAtThePaceOfTimeIsWorthOneMoreRequest() {
        for end in [4.1, 5, 8, 9.9] {
            let state = packets(paced.filter { $0.wall < end })
            #expect(state.mayBeLive(at: at(end), brokeOff: false), "\(end)")
            #expect(!state.isPaced(at: at(end)))
        }
        // Too short to say: it may be a whole short film.
        #expect(!packets(paced.filter { $0.wall < 3 }).mayBeLive(at: at(3), brokeOff: false))
        #expect(packets(paced).isPaced(at: at(20)))
    }

    @Test func whatBreaksOffIsWorthOneMoreRequestWhereItIsNotReadAhead() {
        #expect(packets(paced.filter { $0.wall < 1 }).mayBeLive(at: at(1), brokeOff: true))
        #expect(!packets([]).mayBeLive(at: at(1), brokeOff: true))
        let film = stride(from: 0.0, to: 1, by: 0.1).map { (wall: $0, media: $0 * 25) }
        #expect(!packets(film).mayBeLive(at: at(1), brokeOff: true))
        #expect(!packets(paced, heldBack: true).mayBeLive(at: at(20), brokeOff: true))
    }

    /// A film that comes a little faster than it plays ends for good.
    @Test(arguments: [1.2, 2, 10]) func aFilmOverASlowLinkIsNotPlayedTwice(_ rate: Double) {
        let film = stride(from: 0.0, to: 8, by: 0.1).map { (wall: $0, media: $0 * rate) }
        #expect(!packets(film).mayBeLive(at: at(8), brokeOff: false))
    }

    @Test func theProofBeginsAnewWithTheNextRequest() {
        var state = packets(paced.filter { $0.wall < 8 })
        state.beginProof()
        #expect(!state.isPaced(at: at(12)) && !state.mayBeLive(at: at(12), brokeOff: false))
        state.note(.seconds(11), at: at(12))
        #expect(!state.isPaced(at: at(13)))
        state.note(.seconds(22), at: at(23))
        #expect(state.isPaced(at: at(23)))
    }
}
