import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

private func plan(_ seconds: Double) -> SeekPlan { SeekPlan(target: .seconds(seconds), landing: .exact) }
private func event(_ id: Int, _ seconds: Double, _ outcome: SeekEvent.Outcome) -> SeekEvent {
    SeekEvent(id: id, target: .seconds(seconds), outcome: outcome)
}

/// The outcomes of seeks.
@Suite struct SeekQueueTests {
    @Test func theLatestWaitsAndTheFormerIsSuperseded() {
        var seeks = SeekQueue()
        #expect(seeks.begin(plan(1), id: seeks.ask()) == [event(1, 1, .began)])
        #expect(seeks.wait(for: .plan(plan(2)), id: seeks.ask()) == [])
        #expect(seeks.wait(for: .plan(plan(3)), id: seeks.ask()) == [event(2, 2, .superseded)])
        #expect(seeks.goal == .seconds(3))
        #expect(seeks.land(renderedTime: .seconds(0.96)) == [event(1, 1, .landed(renderedTime: .seconds(0.96)))])
        #expect(seeks.inFlight == nil && seeks.pending == plan(3))
        let next = seeks.takeWaiting()
        #expect(next?.wish == .plan(plan(3)) && next?.id == 3)
        #expect(seeks.isEmpty)
    }

    @Test func everyWordNamesTheWishThatLedToIt() {
        var seeks = SeekQueue()
        var told = seeks.begin(plan(1), id: seeks.ask(.skip))
        told += seeks.wait(for: .fraction(0.5), id: seeks.ask(.fraction))
        told += seeks.wait(for: .plan(plan(3)), id: seeks.ask(.liveEdge))
        told += seeks.land(renderedTime: .seconds(1))
        told += seeks.reject(seeks.ask(.chapter), target: .seconds(9)) + seeks.giveUp(.stalled)
        #expect(told.map(\.id) == [1, 2, 1, 4, 3])
        #expect(told.map(\.origin) == [.skip, .fraction, .skip, .chapter, .liveEdge])
    }

    @Test func theWayOfThePlayerItselfIsToldToNobody() {
        var seeks = SeekQueue()
        #expect(seeks.begin(plan(1)) == [])
        #expect(seeks.land(renderedTime: .seconds(1)) == [])
        #expect(seeks.begin(plan(1)) == [])
        #expect(seeks.giveUp(.stalled) == [])
    }

    @Test func whoIsPushedOutOfTheWayIsTold() {
        var seeks = SeekQueue()
        _ = seeks.begin(plan(1), id: seeks.ask())
        // To the start of a loop, by the player itself.
        #expect(seeks.begin(plan(9)) == [event(1, 1, .superseded)])
        #expect(seeks.inFlight == plan(9))
    }

    @Test func whatBeginsAnewUnderItsOwnNumberIsNotToldTwice() {
        var seeks = SeekQueue()
        _ = seeks.begin(plan(1), id: seeks.ask())
        let goal = seeks.takeGoal()
        #expect(goal?.plan == plan(1) && goal?.id == 1)
        #expect(seeks.begin(plan(1), id: goal?.id) == [])
        _ = seeks.wait(for: .plan(plan(2)), id: seeks.ask())
        let later = seeks.takeGoal()
        #expect(later?.plan == plan(2) && later?.id == 2)
        #expect(seeks.begin(plan(2), id: later?.id) == [event(1, 1, .superseded), event(2, 2, .began)])
        #expect(seeks.pending == nil)
    }

    @Test func aShareWaitsWithoutATarget() {
        var seeks = SeekQueue()
        _ = seeks.wait(for: .fraction(0.5), id: seeks.ask())
        #expect(seeks.goal == nil && seeks.pending == nil && !seeks.isEmpty)
        #expect(seeks.takeGoal() == nil)
        #expect(seeks.giveUp(.stalled) == [event(1, 0, .stalled)])
    }

    @Test(arguments: [SeekEvent.Outcome.stalled, .superseded])
    func givingUpTellsBothAndLeavesNothing(outcome: SeekEvent.Outcome) {
        var seeks = SeekQueue()
        _ = seeks.begin(plan(1), id: seeks.ask())
        _ = seeks.wait(for: .plan(plan(2)), id: seeks.ask())
        seeks.addStep(1)
        #expect(seeks.giveUp(outcome) == [event(1, 1, outcome), event(2, 2, outcome)])
        #expect(seeks.isEmpty && seeks.steps == 0)
        #expect(seeks.giveUp(outcome) == [])
    }

    @Test func stepsAddUpWithinTheirBounds() {
        var seeks = SeekQueue()
        for _ in 0..<3 { seeks.addStep(-1) }
        seeks.addStep(5)
        #expect(seeks.takeSteps() == -2)
        #expect(seeks.steps == 0)
        for _ in 0..<100 { seeks.addStep(1) }
        #expect(seeks.steps == SeekQueue.longestStepQueue)
        seeks.setSteps(-1000)
        #expect(seeks.steps == -SeekQueue.longestStepQueue)
    }

    /// Whatever happens: one last word each, none for a stranger.
    @Test(arguments: 0..<20) func eachSeekHasOneLastWord(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var seeks = SeekQueue()
        var asked = 0
        var told: [SeekEvent] = []
        for _ in 0..<200 {
            switch random.below(8) {
            case 0, 1:
                asked += 1
                told += seeks.wait(for: random.below(3) == 0 ? .fraction(0.5) : .plan(plan(Double(asked))), id: seeks.ask())
            case 2:
                asked += 1
                told += seeks.begin(plan(Double(asked)), id: seeks.ask())
            case 3: told += seeks.begin(plan(0))
            case 4: told += seeks.land(renderedTime: .zero)
            case 5: if let goal = seeks.takeGoal() { told += seeks.begin(goal.plan, id: goal.id) }
            case 6:
                if seeks.inFlight == nil, let next = seeks.takeWaiting() {
                    told += seeks.begin(next.wish.plan ?? plan(50), id: next.id)
                }
            default: if random.below(10) == 0 { told += seeks.giveUp(.stalled) }
            }
        }
        told += seeks.giveUp(.superseded)
        let last = told.filter { $0.outcome != .began }.map(\.id)
        #expect(last.sorted() == Array(1...asked))
    }
}
