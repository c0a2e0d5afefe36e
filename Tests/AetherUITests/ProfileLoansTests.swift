import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import Testing

@testable import AetherUI

/// Settings of some files, from file to file of a list.
@Suite struct ProfileLoansTests {
    private static let text = """
        volume = 80
        [profile.loud]
        if-file = ["*live*", "*gig*"]
        volume = 50
        speed = 1.5
        audio-delay = 0.25
        equalizer = "bass"
        mute = true
        [profile.word]
        if-file = "*talk*"
        speed = 2
        """
    private let settings: Settings
    private let probe = ProbeEnvironment([:])

    init() throws { settings = try Settings(strictly: Self.text, commandLine: ["x"]) }

    /// One file after another as `PlayQueue` opens them: `carried` is what the person has in force.
    private struct Listening {
        let settings: Settings
        let probe: ProbeEnvironment
        var loans = ProfileLoans()
        var carried: LoadOptions?

        mutating func open(_ file: String) throws -> LoadOptions {
            let location = MediaLocation.file(file), options = try settings.options(for: location, probe)
            var loading = carried ?? LoadOptions(options, isPlain: true, item: .init(location: location), carried: nil)
            let lent = settings.fileSettings(for: location, probe)
            if carried == nil, !lent.isEmpty { ProfileLoans.reset(&loading, to: try settings.options(for: nil, probe)) }
            loans.follow(&loading, lent: lent, options)
            carried = loading
            return loading
        }
    }
    private var listening: Listening { Listening(settings: settings, probe: probe) }

    @Test(arguments: [["live.flac", "other.flac", "gig.flac"], ["other.flac", "live.flac", "other.flac"]])
    func theyCountForTheseFilesAndNoOther(_ files: [String]) throws {
        var play = listening
        for file in files {
            let loading = try play.open(file), isLoud = file != "other.flac"
            #expect(loading.volume == (isLoud ? 0.5 : 0.8) && loading.rate == (isLoud ? 1.5 : 1), "\(file)")
            #expect(loading.audioDelay == (isLoud ? .milliseconds(250) : .zero) && loading.isMuted == isLoud, "\(file)")
            #expect(loading.equalizer == (isLoud ? EqualizerCurve("bass") : EqualizerCurve()), "\(file)")
        }
    }

    @Test func fromProfileToProfileEachHasItsOwn() throws {
        var play = listening
        _ = try play.open("live.flac")
        let talk = try play.open("talk.ogg")
        #expect(talk.rate == 2 && talk.volume == 0.8 && !talk.isMuted)
        #expect(try play.open("other.flac").rate == 1)
    }

    @Test func whatThePersonChangesIsThePersons() throws {
        var play = listening
        _ = try play.open("other.flac")
        play.carried?.volume = 0.7
        #expect(try play.open("live.flac").volume == 0.5)
        #expect(try play.open("other.flac").volume == 0.7)
        // Changed while it is lent: it goes on within the profile, and behind it.
        _ = try play.open("live.flac")
        play.carried?.volume = 0.6
        #expect(try play.open("gig.flac").volume == 0.6)
        #expect(try play.open("other.flac").volume == 0.6)
        #expect(try play.open("live.flac").volume == 0.5)
    }

    /// Also for a file that is not the first.
    @Test func theViewAndDeinterlacingAreLentToo() throws {
        let text = """
            [profile.tapes]
            if-file = "*tape*"
            fit = "fill"
            aspect = "4:3"
            tone-map = "off"
            deinterlace = "frame"
            """
        let settings = try Settings(strictly: text, commandLine: ["x"])
        var play = Listening(settings: settings, probe: probe)
        let before = try play.open("a.mkv").settings, lent = try play.open("tape.avi").settings
        #expect(
            lent.changes(since: before) == [
                .fit(.fill), .aspect(4.0 / 3), .toneMapping(.off),
                .deinterlacing(Deinterlacing(mode: .software, fieldRate: .frame)),
            ])
        #expect(try play.open("b.mkv").settings == before)
    }

    /// It is one setting, which several options make; also for a first file.
    @Test(arguments: [["a.mkv", "opera.mkv"], ["opera.mkv"]]) func theLookOfSubtitlesIsLentToo(_ files: [String]) throws {
        let text = """
            sub-border = 2
            [profile.opera]
            if-file = "*opera*"
            sub-font-size = 40
            sub-color = "#ff8000"
            rotate = 90
            """
        let settings = try Settings(strictly: text, commandLine: ["x"])
        var play = Listening(settings: settings, probe: probe)
        var other = play
        let own = try other.open("a.mkv").settings
        let lent = try #require(try files.map { try play.open($0).settings }.last)
        #expect(lent.subtitleLook.size == 40 && lent.subtitleLook.colour == 0xFF8000 && lent.subtitleLook.border == 2)
        #expect(lent.videoLook.view.rotation == 90 && play.loans.areKept(by: .file("opera 2.mkv"), settings, probe))
        #expect(!play.loans.areKept(by: .file("b.mkv"), settings, probe))
        #expect(try play.open("b.mkv").settings == own)
    }

    @Test func theCommandLineCountsMore() throws {
        let settings = try Settings(strictly: Self.text, commandLine: ["x", "--volume", "30"])
        var play = Listening(settings: settings, probe: probe)
        #expect(try play.open("live.flac").volume == 0.3)
        #expect(try play.open("other.flac").volume == 0.3)
    }

    /// A song that joins the one before it has its volume and speed: only files of the same profile may.
    @Test func onlyFilesOfTheSameSettingsJoin() throws {
        func keeps(_ first: String, _ next: String) throws -> Bool {
            var play = listening
            _ = try play.open(first)
            return play.loans.areKept(by: .file(next), settings, probe)
        }
        #expect(try keeps("live 1.flac", "live 2.flac") && keeps("a.flac", "b.flac"))
        #expect(try !keeps("live.flac", "b.flac") && !keeps("a.flac", "live.flac") && !keeps("live.flac", "talk.flac"))
    }
}
