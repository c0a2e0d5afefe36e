import Testing

@testable import AetherCore

@Suite struct PhraseTests {
    @Test func valuesAreMarksInTheKey() {
        let done = 3, all = 9
        let sentence: Phrase = "\(done) of \(all) files"
        #expect(sentence.key == "%1 of %2 files")
        #expect(translated(sentence) == "3 of 9 files")
        #expect(phrase("Mute").key == "Mute")
    }

    @Test func aTranslationPutsValuesInItsOwnOrder() {
        let sentence: Phrase = "\("a") of \("b")"
        #expect(sentence.filled("%2: %1") == "b: a")
        #expect(sentence.filled("%1%1") == "aa")
        // What is no mark stays: a percent sign, one at the end, a number without a value.
        #expect(sentence.filled("%2 % %3 %") == "b % %3 %")
        // A value is no sentence: its marks are not filled.
        #expect(("\("%2") \("x")" as Phrase).filled("%1 %2") == "%2 x")
    }

    @Test func aCountTakesItsForm() {
        func files(_ count: Int) -> String { translated(one: "\(count) file", other: "\(count) files", count: count) }
        #expect(files(0) == "0 files" && files(1) == "1 file" && files(2) == "2 files")
    }

    @Test func aTaskSpeaksAnotherLanguage() {
        let german = Catalogue(
            sentences: [
                "%1 of %2": ["%1 von %2"], "%1 file": ["%1 Datei", "%1 Dateien"], "device\u{4}none": ["keines"],
            ]
        ) { $0 == 1 ? 0 : 1 }
        let said = Language.$catalogue.withValue(german) {
            [
                translated("\(1) of \(2)"), translated(one: "\(1) file", other: "\(1) files", count: 1),
                translated(one: "\(5) file", other: "\(5) files", count: 5), translated("none", context: "device"),
                translated("none"), translated("not in it"),
            ]
        }
        #expect(said == ["1 von 2", "1 Datei", "5 Dateien", "keines", "none", "not in it"])
        #expect(translated("\(1) of \(2)") == "1 of 2")
    }

    @Test func anErrorIsTranslatedWhereItIsRead() {
        let german = Catalogue(
            sentences: [
                "cannot %1 ‘%2’": ["%1 nicht möglich: „%2“"], "operation\u{4}open": ["Öffnen"], "%1: %2": ["%1: %2"],
                "the file is empty": ["die Datei ist leer"],
            ]
        ) { _ in 0 }
        let error = MediaError(.cannotOpen, "open", subject: "a.mkv", reason: "the file is empty")
        #expect(error.description == "cannot open ‘a.mkv’: the file is empty")
        #expect(
            Language.$catalogue.withValue(german) { error.description } == "Öffnen nicht möglich: „a.mkv“: die Datei ist leer")
    }
}

@Suite struct LanguageChoiceTests {
    private static func choice(option: String? = nil, _ variables: [String: String]) -> [String]? {
        LanguageChoice(option: option) { variables[$0] }.map { [$0.locale, $0.languages] }
    }

    @Test func theVariablesCountInGettextsOrder() {
        #expect(Self.choice(["LANG": "de_DE.UTF-8"]) == ["de_DE.UTF-8", "de_DE"])
        #expect(Self.choice(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"]) == ["fr_FR.UTF-8", "fr_FR"])
        #expect(Self.choice(["LC_MESSAGES": "fr_FR", "LC_ALL": "de_AT@euro"]) == ["de_AT@euro", "de_AT"])
        #expect(Self.choice(["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:de"]) == ["de_DE.UTF-8", "fr:de"])
        #expect(Self.choice(["LANG": "C.UTF-8", "LANGUAGE": "de"]) == ["C_C.UTF-8", "de"])
        #expect(Self.choice(["LANG": "en_US.UTF-8", "LANGUAGE": "de"]) == ["en_US.UTF-8", "de"])
    }

    @Test func englishNeedsNoCatalogue() {
        for variables in [
            [:], ["LANG": ""], ["LANG": "C"], ["LANG": "POSIX"], ["LANG": "C.UTF-8"], ["LANG": "en_GB.UTF-8"],
            ["LANG": "C", "LANGUAGE": "de"], ["LANG": "de_DE.UTF-8", "LC_ALL": "C"],
            // gettext would take the German one, for want of an English catalogue.
            ["LANG": "de_DE.UTF-8", "LANGUAGE": "en_GB:en:de"],
        ] {
            #expect(Self.choice(variables) == nil, "\(variables)")
        }
        // Of a list only what comes before English.
        #expect(Self.choice(["LANG": "fr_FR.UTF-8", "LANGUAGE": "de:en:fr"]) == ["fr_FR.UTF-8", "de"])
    }

    @Test func anOptionCountsMoreThanAllVariables() {
        #expect(Self.choice(option: "fr", ["LANG": "de_DE.UTF-8", "LANGUAGE": "de"]) == ["C_C.UTF-8", "fr"])
        #expect(
            Self.choice(option: "de", [:]) == ["C_C.UTF-8", "de"]
                && Self.choice(option: "de", ["LC_ALL": "C"]) == ["C_C.UTF-8", "de"])
        #expect(Self.choice(option: "en", ["LANG": "de_DE.UTF-8"]) == nil)
    }

    @Test func cataloguesLieBesideTheProgram() {
        #expect(Language.folder(program: "/usr/bin/aether-tui") == "/usr/share/locale")
        #expect(Language.folder(program: "/opt/x/bin/aether-tui") == "/opt/x/share/locale")
        #expect(Language.folder(program: "/opt/x/libexec/aether-tui/aether-decoder") == "/opt/x/share/locale")
        #expect(Language.folder(program: "/src/.build/x86_64-unknown-linux-gnu/debug/aether-tui") == "/src/.build/locale")
        #expect(Language.folder(program: "/src/.build-test/release/aetherctl") == "/src/.build/locale")
        #expect(Language.folder(program: nil) == "/usr/share/locale")
    }
}
