import AetherTestSupport
import Testing

@testable import AetherUI

/// Every action of the player, asked for by its key and through the socket of `--ipc`, with what comes of it.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"), .serialized)
struct ActionsTests {
    /// Actions whose effect other suites look at (`SettingStepTests`, `TelevisionTests`, `InspectorTests`, `InfoTests`), and that
    /// have no step here yet.
    private static let elsewhere: Set = [
        "add", "bar-stays", "channel", "channels", "cycle", "favourite", "guide", "info", "inspector", "last-channel",
        "mark-place",
        "next-title", "next-video", "progress", "record", "repeat-file", "revert-seek", "save-playlist", "second-subtitles",
        "set",
        "subtitle-align", "telemetry-glance",
    ]

    @Test func noActionIsWithoutAStep() {
        let told = Set(ActionScript.steps.map(\.words))
        let words = Set(told.compactMap { $0.split(separator: " ").first.map(String.init) })
        for binding in Keymap.standard.entries.flatMap(\.bindings) {
            let text = ActionName.text(binding.action)
            if Self.elsewhere.contains(String(text.prefix { $0 != " " })) { continue }
            #expect(told.contains(text), "no step does \"\(text)\"")
        }
        #expect(Self.elsewhere.isDisjoint(with: words), "a step that is listed as missing")
        for word in ActionName.words where !Self.elsewhere.contains(word) {
            #expect(words.contains(word), "no step does \"\(word)\"")
        }
    }

    @Test(arguments: ActionStage.Way.allCases)
    func everyActionDoesWhatItSays(_ way: ActionStage.Way) throws {
        let stage = try ActionStage()
        for (number, step) in ActionScript.steps.enumerated() {
            let missing = try stage.perform(step, way)
            #expect(missing.isEmpty, "step \(number), \(step.words) by \(way): \(missing)\n\(stage.rows.joined(separator: "\n"))")
        }
    }
}
