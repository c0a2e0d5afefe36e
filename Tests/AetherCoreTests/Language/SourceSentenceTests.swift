import AetherTestSupport
import Testing

/// Sentences that the collector of the catalogue finds in a source.
@Suite struct SourceSentenceTests {
    private static func found(_ source: String) -> [SourceSentence] { SourceSentence.all(in: source) }

    @Test func theHelpOfAnOptionIsASentenceAndAWord() {
        let source = #"""
            @Option(help: .translated("Say \"x\".", value: "file"), completion: .file())
            @Flag(help: .translated("Print JSON."))
            @Option(
                help: .translated(
                    "The window.", form: "WxH"))
            """#
        #expect(Self.found(source).map(\.name) == ["Say \"x\".", "value\u{4}file", "Print JSON.", "The window."])
    }

    @Test func aLiteralOfSeveralLinesIsOneSentence() {
        let source = #"""
            discussion: translated(
                """
                One line, \
                and more of it: \(count) of "them".
                  Another, further in.

                The last.
                """), next: translated("Behind it.")
            """#
        #expect(
            Self.found(source).map(\.key) == [
                "One line, and more of it: %1 of \"them\".\n  Another, further in.\n\nThe last.", "Behind it.",
            ])
    }

    @Test func aLiteralWithoutAnEndIsNone() {
        #expect(Self.found("translated(\"\"\"\n    a").count <= 1)
        #expect(Self.found(".translated(").isEmpty && Self.found(".translated(words, value: \"file\")").isEmpty)
    }
}
