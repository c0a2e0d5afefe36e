import AetherTestSupport
import Testing

@testable import AetherUI

/// Every action of the player, asked for by its key and through the socket of `--ipc`, with what comes of it.
@Suite(.enabled(if: Programs.player != nil, "\(Programs.missing)"), .serialized)
struct ActionsTests {
    @Test func noActionIsWithoutAStep() {
        let told = Set(ActionScript.steps.map(\.words))
        let words = Set(told.compactMap { $0.split(separator: " ").first.map(String.init) })
        for binding in Keymap.standard.entries.flatMap(\.bindings) {
            let text = ActionName.text(binding.action)
            #expect(told.contains(text), "no step does \"\(text)\"")
        }
        for word in ActionName.words { #expect(words.contains(word), "no step does \"\(word)\"") }
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
