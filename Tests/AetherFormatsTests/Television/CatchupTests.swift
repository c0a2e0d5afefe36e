import Testing

@testable import AetherFormats

/// Addresses of past programmes. 1 700 000 000 is 2023-11-14 22:13:20 in UTC.
@Suite struct CatchupTests {
    private static let start: Int64 = 1_700_000_000, stop: Int64 = 1_700_003_600, now: Int64 = 1_700_010_000

    @Test(arguments: [
        (Catchup.Mode.whole, "http://a/{utc}/{duration}", "http://h/1", "http://a/1700000000/3600"),
        (
            .whole, "http://a/${start}-${end}-${timestamp}-${offset}", "http://h/1",
            "http://a/1700000000-1700003600-1700010000-10000"
        ),
        (.whole, "http://a/{utcend}/{lutc}/{duration:60}/{offset:60}", "http://h/1", "http://a/1700003600/1700010000/60/166"),
        (.whole, "http://a/{Y}-{m}-{d}T{H}:{M}:{S}", "http://h/1", "http://a/2023-11-14T22:13:20"),
        (.whole, "http://a/${start:Y-m-d}/{utcend:H:M}", "http://h/1", "http://a/2023-11-14/23:13"),
        // Text that is no placeholder stays.
        (.whole, "http://a/{other}/{utc/{duration:x}/${now}", "http://h/1", "http://a/{other}/{utc/{duration:x}/1700010000"),
        (.append, "?utc={utc}&lutc={lutc}", "http://h/1", "http://h/1?utc=1700000000&lutc=1700010000"),
        (.shift, "", "http://h/1", "http://h/1?utc=1700000000&lutc=1700010000"),
        (.shift, "", "http://h/1?t=x", "http://h/1?t=x&utc=1700000000&lutc=1700010000"),
        (.flussonic, "", "http://h/ch/index.m3u8?token=x", "http://h/ch/archive-1700000000-3600.m3u8?token=x"),
        (.flussonic, "", "http://h/ch/video.m3u8", "http://h/ch/video-1700000000-3600.m3u8"),
        (.flussonic, "", "http://h/ch/mpegts", "http://h/ch/archive-1700000000-3600.ts"),
        (.flussonic, "", "http://h/ch", "http://h/ch/archive-1700000000-3600.ts"),
        (.xc, "", "http://h:80/live/me/secret/12.m3u8", "http://h:80/timeshift/me/secret/60/2023-11-14:22-13/12.m3u8"),
        (.xc, "", "http://h:80/me/secret/12", "http://h:80/timeshift/me/secret/60/2023-11-14:22-13/12.ts"),
    ])
    func placeholdersAreFilledIn(_ mode: Catchup.Mode, _ source: String, _ address: String, _ expected: String) {
        let catchup = Catchup(mode: mode, source: source)
        #expect(catchup.address(of: address, from: Self.start, to: Self.stop, now: Self.now) == expected)
    }

    @Test(arguments: ["http://h", "http://h/a/b", "h/a/b/c", "http://h/live/a/b/x.ts"])
    func addressesOfNoSuchServerHaveNone(_ address: String) {
        #expect(Catchup(mode: .xc).address(of: address, from: Self.start, to: Self.stop, now: Self.now) == nil)
    }

    @Test func theClockOfAServerIsCorrected() {
        let catchup = Catchup(mode: .whole, source: "http://a/{utc}", correction: 3600)
        #expect(catchup.address(of: "http://h", from: Self.start, to: Self.stop, now: Self.now) == "http://a/1699996400")
    }

    @Test func whatIsOlderThanTheServerKeepsIsNotReached() {
        let day = Catchup(mode: .shift, span: 86_400)
        #expect(day.reaches(Self.now - 86_400, now: Self.now) && !day.reaches(Self.now - 86_401, now: Self.now))
        #expect(!day.reaches(Self.now, now: Self.now) && Catchup(mode: .shift).reaches(0, now: Self.now))
    }

    @Test(arguments: [
        ("catchup=\"shift\" catchup-days=\"2\"", Catchup(mode: .shift, span: 172_800)),
        ("timeshift=\"1\"", Catchup(mode: .shift, span: 86_400)), ("tvg-rec=\"3\"", Catchup(mode: .shift, span: 259_200)),
        ("catchup=\"default\" catchup-source=\"http://a/{utc}\"", Catchup(mode: .whole, source: "http://a/{utc}")),
        ("catchup-source=\"?utc={utc}\"", Catchup(mode: .append, source: "?utc={utc}")),
        ("catchup=\"flussonic-hls\"", Catchup(mode: .flussonic)), ("catchup=\"xc\"", Catchup(mode: .xc)),
        ("catchup=\"default\"", nil), ("catchup=\"append\"", nil), ("catchup=\"none\"", nil), ("timeshift=\"0\"", nil),
        ("tvg-id=\"a\"", nil),
    ])
    func theWordsOfAListSayTheWay(_ words: String, _ expected: Catchup?) {
        let list = ChannelList(Array("#EXTINF:-1 \(words),n\nhttp://h/1".utf8))
        #expect(list.channel(0).catchup == expected)
    }

    @Test func theFirstLineHoldsForAllChannels() {
        let list = ChannelList(Array("#EXTM3U catchup=\"shift\" catchup-days=\"1\"\n#EXTINF:-1,n\nhttp://h/1".utf8))
        #expect(list.channel(0).catchup == Catchup(mode: .shift, span: 86_400))
    }

    @Test(arguments: [0, 951_782_400, 1_709_164_800, 1_700_000_000, -1, 4_102_444_800, 253_402_300_799])
    func datesGoThereAndBack(_ unix: Int64) { #expect(CivilTime(unix: unix).unix == unix) }

    @Test func datesAreThoseOfTheCalendar() {
        #expect(CivilTime(unix: 951_782_400) == CivilTime(year: 2000, month: 2, day: 29))
        #expect(CivilTime(unix: -1) == CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59))
    }
}
