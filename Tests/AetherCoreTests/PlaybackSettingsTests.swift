import Testing

@testable import AetherCore

/// The settings of a person, as one value.
@Suite struct PlaybackSettingsTests {
    /// For each setting another value than the default.
    private static var others: [SettingChange] { plain.dropLast(4) + filters + plain.suffix(4) }

    private static var filters: [SettingChange] {
        func graph(_ text: String, _ medium: FilterGraph.Medium) -> FilterGraph? {
            do throws(FilterFault) {
                return try FilterGraph(text, medium)
            } catch {
                return nil
            }
        }
        return [.videoFilters(graph("hflip,eq=gamma=1.2", .video)), .audioFilters(graph("bass=g=6", .audio))]
    }

    private static let plain: [SettingChange] = [
        .rate(1.25), .volume(0.8), .muted(true), .audioDelay(.seconds(-0.3)), .equalizer(EqualizerCurve([1, -2.5, 12])),
        .channels(.surround51), .downmix(.safe), .crossfeed(true), .fit(.fill),
        .aspect(4.0 / 3), .zoom(1.5), .pan(x: -0.2, y: 1), .rotation(90), .flip(.vertical), .panscan(0.5),
        .adjustment(ColourAdjustment(brightness: 10, contrast: -20, saturation: 100, gamma: 1)), .toneMapping(.bt2390),
        .deinterlacing(Deinterlacing(mode: .software, fieldRate: .frame)), .subtitleDelay(.seconds(1.5)), .subtitleScale(2),
        .subtitlePosition(12.5), .subtitleLook(look),
    ]

    private static var look: SubtitleLook {
        var look = SubtitleLook()
        (look.font, look.size, look.colour, look.borderColour) = ("DejaVu Sans", 20, 0xFFE000, 0x102030)
        (look.border, look.margin, look.overridesScripts) = (2, 30, true)
        return look
    }

    private static var changed: PlaybackSettings {
        var settings = PlaybackSettings()
        for change in others { settings.apply(change) }
        return settings
    }

    @Test func everySettingIsInTheTable() {
        #expect(Self.others.map(\.setting) == Setting.allCases)
    }

    @Test func aChangeChangesItsSettingAndNoOther() {
        for change in Self.others {
            var settings = PlaybackSettings()
            #expect(settings[change.setting] != change)
            settings.apply(change)
            #expect(settings[change.setting] == change)
            #expect(settings.changes(since: PlaybackSettings()) == [change])
            #expect(PlaybackSettings().changes(since: settings) == [PlaybackSettings()[change.setting]])
        }
        #expect(Self.changed.changes(since: PlaybackSettings()) == Self.others)
        #expect(Self.changed.checked == Self.changed && Self.changed.changes(since: Self.changed) == [])
    }

    @Test func amountsOutOfRangeAreBroughtInsideAndNaNIsNone() {
        let rows: [(said: SettingChange, kept: SettingChange?)] = [
            (.rate(0), .rate(0.25)), (.rate(.infinity), .rate(4)), (.rate(.nan), nil), (.volume(-1), .volume(0)),
            (.volume(9), .volume(1.5)), (.volume(.nan), nil), (.audioDelay(.seconds(-30)), .audioDelay(.seconds(-10))),
            (.audioDelay(.seconds(1e12)), .audioDelay(.seconds(10))), (.aspect(0), .aspect(nil)), (.aspect(.nan), .aspect(nil)),
            (.zoom(0), .zoom(0.25)), (.pan(x: -9, y: 9), .pan(x: -1, y: 1)), (.pan(x: 0, y: .nan), nil),
            (.subtitleDelay(.seconds(1e9)), .subtitleDelay(.seconds(3600))), (.subtitleScale(99), .subtitleScale(4)),
            (.subtitlePosition(-1), .subtitlePosition(0)), (.subtitlePosition(.nan), nil), (.panscan(9), .panscan(1)),
            (.rotation(45), nil),
        ]
        for row in rows {
            #expect(row.said.checked == row.kept)
            var settings = Self.changed
            settings.apply(row.said)
            #expect(settings[row.said.setting] == row.kept ?? Self.changed[row.said.setting])
        }
        var bad = PlaybackSettings()
        (bad.rate, bad.volume) = (.nan, -3)
        #expect(bad.checked.rate == 1 && bad.checked.volume == 0)
    }

    @Test func wordsAreReadAgain() {
        for change in Self.others + Setting.allCases.map({ PlaybackSettings()[$0] }) {
            #expect(SettingChange(change.setting, text: change.text) == change, "\(change)")
        }
        let wrong: [(Setting, String)] = [
            (.rate, "99"), (.rate, "nan"), (.rate, "fast"), (.muted, "1"), (.aspect, "0"), (.aspect, "nan"), (.fit, "x"),
            (.pan, "1"),
            (.pan, "1,2"), (.adjustment, "1,2,3"), (.adjustment, "1,2,3,400"), (.deinterlacing, "auto"), (.audioDelay, "1e300"),
            (.equalizer, ""), (.channels, "6"), (.downmix, "quiet"), (.rotation, "45"), (.flip, "up"),
            (.subtitleLook, "size=x;foo=1"),
            (.subtitleLook, "font=a{b"), (.toneMapping, ""),
        ]
        for (setting, text) in wrong { #expect(SettingChange(setting, text: text) == nil, "\(setting) \(text)") }
    }

    @Test func aLayoutIsAskedForInPlaceOfTheSources() {
        let stereo = AudioFormat(sampleRate: 44_100, channelCount: 2), film = AudioFormat(sampleRate: 48_000, channelCount: 6)
        var bursts = stereo
        bursts.isBitstream = true
        let rows: [(layout: SpeakerLayout, source: AudioFormat, asked: [AudioChannel])] = [
            (.auto, film, film.channels), (.auto, stereo, stereo.channels), (.stereo, film, stereo.channels),
            (.surround51, stereo, film.channels), (.surround71, film, AudioChannel.usual(8)),
            (.surround51, bursts, bursts.channels),
        ]
        for row in rows {
            let format = row.layout.format(of: row.source)
            #expect(format.channels == row.asked && format.sampleRate == row.source.sampleRate, "\(row.layout)")
        }
    }

    @Test func theNextFileBeginsWithAllButWhatMendsOne() {
        let left = Self.changed.forNextFile.changes(since: Self.changed)
        #expect(left == [.subtitleDelay(.zero)])
    }

    @Test func aLoanIsGivenBackWhereNobodyChangedIt() {
        var own = PlaybackSettings(), lent = PlaybackSettings()
        (own.rate, own.volume) = (1.5, 0.5)
        (lent.rate, lent.volume, lent.isMuted) = (2, 0.5, true)
        let loan = SettingsLoan(own: own, lent: lent)
        #expect(loan.back(lent) == own)
        var later = lent
        (later.rate, later.volume) = (3, 0.7)
        #expect(loan.back(later).changes(since: own) == [.rate(3), .volume(0.7)])
    }
}
