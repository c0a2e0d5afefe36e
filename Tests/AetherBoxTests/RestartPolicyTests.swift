import AetherCore
import Testing

@testable import AetherBox

/// The step behind a worker's end, by where it was.
struct RestartPolicyTests {
    private typealias Step = RestartPolicy.Step

    private static let passed = Step.passBy(RestartPolicy.leap)

    @Test(arguments: [
        // Once: another one goes on behind the place.
        ([10.0], [Step.goOn]),
        // Twice at a place: it is passed by; three times: the end.
        ([10, 10], [.goOn, passed]),
        ([10, 10.5, 12], [.goOn, passed, .giveUp]),
        // Another place begins anew.
        ([10, 21], [.goOn, .goOn]),
        ([10, 10, 40, 40, 40], [.goOn, passed, .goOn, passed, .giveUp]),
        // Back, too: a seek led there.
        ([60, 10], [.goOn, .goOn]),
        // What is near the last one is the same place, wherever that began.
        ([0, 9, 18], [.goOn, passed, .giveUp]),
        // One after the other: eight are the end.
        ([0, 20, 40, 60, 80, 100, 120, 140], [.goOn, .goOn, .goOn, .goOn, .goOn, .goOn, .goOn, .giveUp]),
    ])
    func faultsLeadToSteps(_ places: [Double], _ steps: [RestartPolicy.Step]) {
        var policy = RestartPolicy()
        #expect(places.map { policy.step(at: .seconds($0)) } == steps)
    }

    @Test func placeWithoutATimeIsAlwaysTheSame() {
        var policy = RestartPolicy()
        #expect(policy.step(at: nil) == .goOn)
        #expect(policy.step(at: nil) == Self.passed)
        #expect(policy.step(at: nil) == .giveUp)
    }

    @Test func timesAtTheEndsOfTheRangeAreNoTrap() {
        var policy = RestartPolicy()
        #expect(policy.step(at: MediaTime(nanoseconds: .min)) == .goOn)
        #expect(policy.step(at: MediaTime(nanoseconds: .max)) == .goOn)
    }
}
