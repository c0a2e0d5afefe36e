import AetherCore
import Foundation
import Testing

@testable import AetherUI

/// Whether anybody can see what is drawn.
@Suite struct PaneSightTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test func aPaneWithoutTheFocusIsHiddenOnlyWhereTmuxSaysSo() {
        var sight = PaneSight()
        #expect(sight.askAt == nil && !sight.isHidden)
        sight.take(focus: false, now: at(1))
        #expect(sight.askAt == at(1) && !sight.isHidden)
        sight.ask()
        #expect(sight.askAt == nil)
        // Seen beside another pane: asked again, for the window may change without a word.
        sight.take(isSeen: true, now: at(1.1))
        #expect(sight.askAt == at(2.1) && !sight.isHidden)
        sight.ask()
        sight.take(isSeen: false, now: at(2.2))
        #expect(sight.isHidden && sight.askAt == at(3.2))
        sight.ask()
        sight.take(isSeen: true, now: at(3.3))
        #expect(!sight.isHidden)
    }

    @Test func theFocusAndKeysShowIt() {
        var hidden = PaneSight()
        hidden.take(focus: false, now: at(1))
        hidden.take(isSeen: false, now: at(1))
        var focused = hidden, touched = hidden
        focused.take(focus: true, now: at(2))
        #expect(!focused.isHidden && focused.askAt == nil)
        // An answer to a question from before.
        focused.take(isSeen: false, now: at(2))
        #expect(!focused.isHidden)
        touched.touch(now: at(2))
        #expect(!touched.isHidden && touched.askAt == at(3))
    }

    @Test func aServerThatDoesNotAnswerHidesNothing() {
        var sight = PaneSight()
        sight.take(focus: false, now: at(1))
        sight.ask()
        sight.take(isSeen: nil, now: at(2))
        #expect(!sight.isHidden && sight.askAt == nil)
    }

    @Test(
        arguments: [
            ("1,1,0,1\n", true), ("2,1,0,0", true), ("0,1,0,1", false), ("1,0,0,1", false), ("1,1,1,0", false), ("1,1,1,1", true),
            ("", nil), ("1,1,1", nil), ("a,b,c,d", nil), ("1,1,0,1,1", nil), ("99999999999999999999,1,0,1", nil),
        ] as [(String, Bool?)]) func tmuxSaysWhatIsSeen(_ answer: String, _ isSeen: Bool?)
    {
        let others = "%1,1,1,0,1\n%10,0,0,0,1\n"
        #expect(TmuxSight.isSeen(answer.isEmpty ? others : others + "%0," + answer, pane: "%0") == isSeen)
    }

    /// Sessions of a group have the same windows, each with a present one of its own.
    @Test(arguments: [(["1,0,0,1", "1,1,0,1"], true), (["1,0,0,1", "0,1,0,1"], false), (["1,0,0,1", "?"], nil)])
    func aPaneOfSeveralSessionsIsSeenWhereOneShowsIt(_ states: [String], _ isSeen: Bool?) {
        let answer = states.map { "%7,\($0)\n" }.joined()
        #expect(TmuxSight.isSeen(answer, pane: "%7") == isSeen)
    }

    @Test func nothingButTheNameOfAPaneIsHandedOn() {
        #expect(TmuxSight.isPane("%0") && TmuxSight.isPane("%123"))
        for name in ["", "%", "0", "%1;kill-server", "-t", "%12345678901234"] { #expect(!TmuxSight.isPane(name)) }
        #expect(TmuxSight(["TMUX": "x", "TMUX_PANE": "%1;x", "PATH": "/usr/bin"], wake: WakeHandle()) == nil)
        #expect(TmuxSight(["TMUX_PANE": "%1", "PATH": "/usr/bin"], wake: WakeHandle()) == nil)
    }
}
