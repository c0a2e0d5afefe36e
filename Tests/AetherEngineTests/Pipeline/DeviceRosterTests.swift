import AetherCore
import AetherMedia
import Glibc
import Testing

@testable import AetherEngine

@Suite struct DeviceRosterTests {
    private let began = HostTime(nanoseconds: 1_000_000_000_000)
    private let error = MediaError(.audioDevice, "play")

    private func roster(_ count: Int) -> DeviceRoster {
        let script = PCMScript(time: ManualTime(began))
        return DeviceRoster(
            AudioDeviceList(
                count: count, make: { _ in ScriptedPCM(script) },
                choose: { _ in AudioDeviceList(count: 1, make: { _ in ScriptedPCM(script) }) }))
    }

    /// The seconds at which a lost device is asked for, when it never comes back.
    private func questions(_ roster: inout DeviceRoster, within seconds: Int) -> [Int] {
        (0...seconds).filter { second in
            let now = began + .seconds(Double(second))
            guard roster.isDue(at: now) else { return false }
            roster.postpone(at: now)
            return true
        }
    }

    @Test func aLostDeviceIsAskedEverMoreSeldom() {
        var roster = roster(2)
        #expect(!roster.usesStandIn && questions(&roster, within: 100).isEmpty)
        roster.giveUp(error, at: began)
        #expect(roster.usesStandIn && !roster.isSilent && roster.position == 1)
        #expect(questions(&roster, within: 260) == [5, 15, 35, 75, 135, 195, 255])
    }

    /// A server that was started anew while nobody looked is there again at once; one that is gone, or fails again, is not waited for.
    @Test func oneThatIsLostWhilePlayingIsTriedOnceMore() {
        var roster = roster(2)
        roster.lose(error, at: began)
        #expect(roster.position == 0)
        roster.lose(error, at: began + .seconds(1))
        #expect(roster.position == 1)
        roster.settle(on: 0, at: began + .seconds(2))
        roster.lose(error, at: began + .seconds(3))
        #expect(roster.position == 1)
        roster.settle(on: 0, at: began + .seconds(4))
        roster.lose(error, at: began + .seconds(30))
        #expect(roster.position == 0)
        var silent = self.roster(2)
        silent.lose(MediaError(.audioDevice, "play", cause: -ETIMEDOUT), at: began)
        #expect(silent.position == 1)
    }

    @Test func oneThatStoodIsNotAskedByItself() {
        var roster = roster(1)
        roster.giveUp(error, at: nil)
        #expect(roster.isSilent && questions(&roster, within: 1000).isEmpty)
        // Chosen, it gets another chance, with all its patience.
        roster.reset()
        #expect(!roster.usesStandIn)
        roster.giveUp(error, at: began)
        #expect(questions(&roster, within: 10) == [5])
    }

    @Test func whatCanBeHadAgainIsThePresentOne() {
        var roster = roster(3)
        for _ in 0..<3 { roster.giveUp(error, at: began) }
        #expect(roster.isSilent && roster.position == 3)
        // The second best: the best one is asked for as after any loss.
        roster.settle(on: 1, at: began)
        #expect(roster.position == 1 && !roster.isSilent && questions(&roster, within: 20) == [5, 15])
        roster.settle(on: 0, at: began)
        #expect(!roster.usesStandIn && questions(&roster, within: 100).isEmpty)
    }

    @Test func anotherNameIsAnotherList() {
        var roster = roster(3)
        roster.giveUp(error, at: began)
        #expect(roster.choose("other") && roster.position == 0)
        #expect(!roster.choose("other") && !roster.choose(nil))
    }
}
