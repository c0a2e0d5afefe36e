import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

/// Lists of channels in the M3U form of IPTV.
@Suite struct ChannelListTests {
    private func list(_ text: String) -> ChannelList { ChannelList(Array(text.utf8)) }

    private let whole = """
        #EXTM3U x-tvg-url="http://guide/a.xml.gz,http://guide/b.xml" tvg-shift="1.5"
        #EXTINF:-1 tvg-id="one.tv" tvg-name="One" tvg-logo="http://h/1.png" tvg-chno="7" group-title="News;World" catchup="append" catchup-source="?utc={utc}" catchup-days="3",One HD, the first
        #EXTVLCOPT:http-user-agent=Some Agent/1.0
        #EXTVLCOPT:http-referrer=http://page/
        #KODIPROP:inputstream.adaptive.license_type=org.w3.clearkey
        http://host/one.m3u8
        #EXTINF:-1 tvg-id="two.tv" tvg-shift="-2",Two
        #EXTGRP:Sport
        http://host/two.ts|User-Agent=A%2FB&Referer=http://x/&X-Own=1
        #EXTINF:-1,Three
        rtp://239.0.0.1:1234
        """

    @Test func everyWordOfAChannelIsRead() {
        let list = list(whole), one = list.channel(0)
        #expect(list.isChannels && list.count == 3 && !list.isStream)
        #expect(list.guides == ["http://guide/a.xml.gz", "http://guide/b.xml"])
        #expect(one.name == "One HD, the first" && one.guideID == "one.tv" && one.guideName == "One")
        #expect(one.logo == "http://h/1.png" && one.number == 7 && one.groups == ["News", "World"])
        #expect(one.userAgent == "Some Agent/1.0" && one.referrer == "http://page/" && one.address == "http://host/one.m3u8")
        #expect(one.properties == ["inputstream.adaptive.license_type": "org.w3.clearkey"])
        #expect(one.catchup == Catchup(mode: .append, source: "?utc={utc}", span: 3 * 86_400))
        #expect(one.guideShift == 5400)
    }

    @Test func headersBehindAnAddressAreTakenOff() {
        let two = list(whole).channel(1)
        #expect(two.address == "http://host/two.ts" && two.userAgent == "A/B" && two.referrer == "http://x/")
        #expect(two.headers == ["X-Own": "1"] && two.groups == ["Sport"] && two.guideShift == -7200)
    }

    @Test func aGroupLineHoldsUntilTheNext() {
        let list = list(whole)
        #expect(list.groups == ["News", "World", "Sport"])
        #expect(list.channels(inGroup: 2) == [1, 2] && list.channels(inGroup: 0) == [0])
    }

    @Test func numbersOfTheListGoBeforePlaces() {
        let list = list(whole)
        #expect([0, 1, 2].map { list.number($0) } == [7, 2, 3])
        #expect(list.index(ofNumber: 7) == 0 && list.index(ofNumber: 3) == 2 && list.index(ofNumber: 9) == nil)
        #expect(list.index(ofNumber: 0) == nil && list.index(ofNumber: -1) == nil)
    }

    @Test(arguments: [
        // Marks, ends of lines, spaces.
        ("\u{FEFF}#EXTM3U\r\n#EXTINF:-1 tvg-id=\"a\",Name\r\nhttp://h/1\r\n", "Name|http://h/1"),
        ("#EXTM3U\r#EXTINF:-1 tvg-id=\"a\",Name\rhttp://h/1", "Name|http://h/1"),
        ("  #EXTINF:-1 tvg-id='a' ,  Name  \n\n  http://h/1  ", "Name|http://h/1"),
        // No quotes, none that close, some inside of others, none between.
        ("#EXTINF:-1 tvg-id=a group-title=News,Name\nhttp://h/1", "Name|http://h/1"),
        ("#EXTINF:-1 tvg-name=\"A \"best\" one\",Name\nhttp://h/1", "Name|http://h/1"),
        ("#EXTINF:-1 tvg-id=\"a,Name\nhttp://h/1", "Name|http://h/1"),
        ("#EXTINF:-1 tvg-id=\"a\"group-title=\"b\",Name\nhttp://h/1", "Name|http://h/1"),
        ("#EXTINF:-1 group-title=\"A, B\",Name, too\nhttp://h/1", "Name, too|http://h/1"),
        // Names that are missing.
        ("#EXTINF:-1 tvg-name=\"Other\",\nhttp://h/1", "Other|http://h/1"),
        ("#EXTINF:-1 tvg-id=\"x.y\"\nhttp://h/1", "x.y|http://h/1"),
        ("#EXTGRP:x\nhttp://h/1.ts", "http://h/1.ts|http://h/1.ts"),
        // Whatever case.
        ("#extinf:-1 TVG-ID=\"a\",Name\nhttp://h/1", "Name|http://h/1"),
        // A bar without headers belongs to the address.
        ("#EXTINF:-1 tvg-id=\"a\",Name\nhttp://h/1|2", "Name|http://h/1|2"),
        // Controls.
        ("#EXTINF:-1 tvg-id=\"a\",Na\u{1B}[31mme\nhttp://h/1", "Na[31mme|http://h/1"),
    ])
    func oddListsAreRead(_ text: String, _ expected: String) {
        let list = list(text)
        #expect(list.count == 1 && list.isChannels)
        let shown = list.channel(0).name
        #expect("\(shown.filter { $0 != "\u{FFFD}" })|\(list.address(0))" == expected)
    }

    @Test func latinOneIsRead() {
        let list = ChannelList(Array("#EXTINF:-1 tvg-id=\"a\",T".utf8) + [0xE9] + Array("l\nhttp://h/1".utf8))
        #expect(list.name(0) == "Tél")
    }

    /// HLS says so by its own tags; other lists have nothing that only channels have.
    @Test(arguments: [
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n",
        "#EXTM3U\n#EXTINF:6 tvg-id=\"x\",\na.ts\n#EXT-X-ENDLIST", "#EXTM3U\n#EXTINF:200,Artist - Song\nsong.mp3\n", "",
        "#EXTM3U\n",
        "#EXTM3U\n#EXTINF:-1,One\nhttp://h/1\n",
    ])
    func otherListsAreNoChannels(_ text: String) { #expect(!list(text).isChannels) }

    @Test func endlessStreamsAloneAreChannels() {
        #expect(list("#EXTM3U\n#EXTINF:-1,One\nhttp://h/1\n#EXTINF:0,Two\nhttp://h/2\n").isChannels)
        #expect(!list("#EXTM3U\n#EXTINF:-1,One\nhttp://h/1\n#EXTINF:9,Two\ntwo.mp3\n").isChannels)
    }

    @Test func hostileListsAreBounded() {
        let groups = (0..<30_000).map { "#EXTINF:-1 group-title=\"g\($0)\",n\nhttp://h/\n" }.joined()
        let many = list(groups)
        #expect(many.groups.count <= ChannelList.groupLimit && many.count == 30_000)
        #expect(list("#EXTINF:-1 " + String(repeating: "a=b ", count: 5000) + ",n\nhttp://h/").count == 1)
        #expect(list("#EXTINF:-1 tvg-id=\"a\",n\nhttp://h/" + String(repeating: "x", count: 20_000)).count == 0)
        let header = list("#EXTM3U x-tvg-url=\"" + (0..<100).map { "http://h/\($0)" }.joined(separator: ",") + "\"\n")
        #expect(header.guides.count == 8)
    }

    @Test func headersThatWouldBreakARequestAreLeftOut() {
        let channel = list("#EXTINF:-1 tvg-id=\"a\",n\nhttp://h/|Host=x&X=a%0Ab&Range=0&Good=1&B%20d=2").channel(0)
        #expect(channel.headers == ["Good": "1"])
    }

    @Test(arguments: [
        ("license_type=org.w3.clearkey", "license_key=00112233445566778899aabbccddeeff:0123456789abcdef0123456789abcdef", 1),
        ("drm_legacy=org.w3.clearkey|aa:bb,cc:dd", "x=y", 2), ("license_type=com.widevine.alpha", "license_key=aa:bb", 0),
    ])
    func keysOfClearKeyAreTaken(_ first: String, _ second: String, _ count: Int) {
        let lines = [first, second].map { "#KODIPROP:inputstream.adaptive.\($0)\n" }.joined()
        #expect(list("#EXTINF:-1,n\n\(lines)http://h/").channel(0).clearKeys.count == count)
    }

    @Test func aHundredThousandChannelsTakeSixteenBytesEach() {
        #expect(MemoryLayout<ChannelList.Entry>.stride == 16)
    }
}
