import Testing

@testable import AetherUI

@Suite struct HaltTests {
    @Test func aSnapshotFromBeforeTheStopDoesNotUndoIt() {
        var halt = DesktopPresence.Halt()
        halt.ask()
        halt.follow(wantsToPlay: true)
        #expect(halt.isOn)
        halt.follow(wantsToPlay: false)
        #expect(halt.isOn)
        halt.follow(wantsToPlay: true)
        #expect(!halt.isOn)
    }

    @Test func aPauseIsNoStop() {
        var halt = DesktopPresence.Halt()
        halt.follow(wantsToPlay: true)
        halt.follow(wantsToPlay: false)
        #expect(!halt.isOn)
    }
}
