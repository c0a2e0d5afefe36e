import AetherFormats
import Testing

/// The tracks of adaptation sets.
struct MPDTrackTests {
    private func groups(_ sets: String) throws -> [Group] {
        let presentation = try MPD.presentation(
            "<MPD mediaPresentationDuration=\"PT100S\"><Period><SegmentTemplate media=\"$Number$\" duration=\"100\"/>\(sets)</Period></MPD>"
        )
        return presentation.periods[0].groups
    }

    private func group(_ attributes: String, _ inside: String = "", representation: String = "") throws -> Group? {
        let fallback = "<AdaptationSet mimeType=\"video/mp4\" id=\"fallback\"><Representation id=\"x\"/></AdaptationSet>"
        let set =
            "<AdaptationSet id=\"g\" \(attributes)>\(inside)<Representation id=\"r\" bandwidth=\"5\" \(representation)/></AdaptationSet>"
        return try groups(set + fallback).first { $0.id.hasSuffix("/g") }
    }

    @Test(arguments: [
        ("mimeType=\"video/mp4\"", Group.Kind.video), ("mimeType=\"audio/webm\"", .audio),
        ("contentType=\"audio\" mimeType=\"video/mp4\"", .audio),
        ("mimeType=\"application/mp4\" codecs=\"stpp\"", .text), ("mimeType=\"text/vtt\"", .text),
        ("mimeType=\"application/ttml+xml\"", .text),
        ("mimeType=\"video/mp4\" codecs=\"avc1.640028,mp4a.40.2\"", .muxed), ("mimeType=\"image/jpeg\"", .image),
        ("mimeType=\"video/mp2t\"", .video),
    ])
    func kinds(attributes: String, kind: Group.Kind) throws {
        #expect(try group(attributes)?.kind == kind)
    }

    private func descriptor(_ name: String, _ scheme: String, _ value: String) -> String {
        "<\(name) schemeIdUri=\"\(scheme)\" value=\"\(value)\"/>"
    }

    @Test(arguments: [
        ("urn:mpeg:dash:23003:3:audio_channel_configuration:2011", "6", 6),
        ("urn:mpeg:mpegB:cicp:ChannelConfiguration", "13", 24),
        ("tag:dolby.com,2014:dash:audio_channel_configuration:2011", "F801", 6),
        ("urn:dolby:dash:audio_channel_configuration:2011", "FA01", 8),
        ("tag:dolby.com,2014:dash:audio_channel_configuration:2011", "4000", 1),
        ("tag:dolby.com,2015:dash:audio_channel_configuration:2015", "000047", 6),
        ("tag:dts.com,2014:dash:audio_channel_configuration:2012", "8", 8),
        ("tag:dts.com,2018:uhd:audio_channel_configuration", "3F", 6),
    ])
    func channels(scheme: String, value: String, count: Int) throws {
        let group = try group("mimeType=\"audio/mp4\"", descriptor("AudioChannelConfiguration", scheme, value))
        #expect(group?.channels?.count == count && group?.channels?.isImmersive == false)
    }

    @Test func objectsOfDolby() throws {
        let inside =
            descriptor("AudioChannelConfiguration", "tag:dolby.com,2014:dash:audio_channel_configuration:2011", "F801")
            + descriptor("SupplementalProperty", "tag:dolby.com,2018:dash:EC3_ExtensionType:2018", "JOC")
        #expect(try group("mimeType=\"audio/mp4\" codecs=\"ec-3\"", inside)?.channels == StatedChannels("6/JOC"))
    }

    @Test func rolesAndLabels() throws {
        let role = "urn:mpeg:dash:role:2011"
        let described = try group(
            "mimeType=\"audio/mp4\" lang=\"en\"",
            descriptor("Role", role, "alternate") + descriptor("Accessibility", "urn:tva:metadata:cs:AudioPurposeCS:2007", "1")
                + "<Label lang=\"fr\">Français</Label><Label lang=\"en\">English\u{1B}[31m</Label>")
        #expect(
            described?.characteristics == ["public.accessibility.describes-video", "alternate"]
                && described?.isAutoselected == false)
        #expect(
            described?.label.hasPrefix("English") == true && described?.label.contains("\u{1B}") == false
                && described?.language == "en")
        #expect(try group("mimeType=\"text/vtt\"", descriptor("Role", role, "forced-subtitle"))?.isForced == true)
    }

    @Test func theDefaultIsTheMainOne() throws {
        let set = { (id: String, inside: String) in
            "<AdaptationSet id=\"\(id)\" mimeType=\"audio/mp4\" \(inside)<Representation id=\"\(id)\"/></AdaptationSet>"
        }
        let role = "<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\""
        let groups = try groups(
            set("a", ">" + role + "commentary\"/>") + set("b", ">") + set("c", "selectionPriority=\"2\">" + role + "main\"/>")
                + set("d", ">" + role + "main\"/>"))
        #expect(groups.filter(\.isDefault).map(\.id) == ["audio/c"])
    }

    @Test func trickModeAndTiles() throws {
        let trick = descriptor("EssentialProperty", "http://dashif.org/guidelines/trickmode", "1")
        #expect(try group("mimeType=\"video/mp4\"", trick)?.kind == .keyFrames)
        let tiles = try group(
            "mimeType=\"image/jpeg\"", descriptor("EssentialProperty", "http://dashif.org/guidelines/thumbnail_tile", "10x5"),
            representation: "width=\"1600\" height=\"450\"")
        #expect(
            tiles?.renditions.first?.tiles
                == TileLayout(columns: 10, rows: 5, duration: Ticks(2, timescale: 1), size: StatedSize(width: 160, height: 90)))
    }

    @Test func whatIsEssentialAndUnknownIsLeftOut() throws {
        #expect(try group("mimeType=\"video/mp4\"", descriptor("EssentialProperty", "urn:unheard:of", "1")) == nil)
        #expect(try group("mimeType=\"video/mp4\"", descriptor("SupplementalProperty", "urn:unheard:of", "1")) != nil)
        #expect(
            try group(
                "mimeType=\"video/mp4\"", descriptor("EssentialProperty", "urn:mpeg:mpegB:cicp:TransferCharacteristics", "16"))?
                .renditions.first?.range == .pq)
    }

    @Test func captionsInVideo() throws {
        let groups = try groups(
            "<AdaptationSet mimeType=\"video/mp4\">"
                + descriptor("Accessibility", "urn:scte:dash:cc:cea-608:2015", "CC1=eng;CC3=spa")
                + descriptor("Accessibility", "urn:scte:dash:cc:cea-708:2015", "2=lang:deu,war:1")
                + "<Representation id=\"v\"/></AdaptationSet>")
        let captions = groups.filter { $0.kind == .captions }
        #expect(
            captions.map(\.captionChannel) == ["CC1", "CC3", "SERVICE2"] && captions.map(\.language) == ["eng", "spa", "deu"])
    }

    @Test func variantsAreVideoTimesCodecsOfAudio() throws {
        let presentation = try MPD.presentation(
            """
            <MPD mediaPresentationDuration="PT4S"><Period><SegmentTemplate media="$Number$" duration="2"/>
            <AdaptationSet mimeType="video/mp4" codecs="avc1.640028"><Representation id="hi" bandwidth="900" width="1920" height="1080" frameRate="60000/1001"/>
            <Representation id="lo" bandwidth="100"/></AdaptationSet>
            <AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.02"><Representation id="a" bandwidth="10"/><Representation id="b" bandwidth="20"/></AdaptationSet>
            <AdaptationSet mimeType="audio/mp4" codecs="ec-3"><Representation id="c" bandwidth="50"/></AdaptationSet></Period></MPD>
            """)
        #expect(presentation.variants.map(\.id) == ["hi", "hi+audio-ec-3", "lo", "lo+audio-ec-3"])
        #expect(presentation.variants.map(\.peakBitRate) == [920, 950, 120, 150])
        #expect(presentation.variants[0].codecs.map(\.text) == ["avc1.640028", "mp4a.40.2"])
        #expect(presentation.variants[0].badges() == ["1080p", "60 fps"])
    }

    @Test func digitalRightsByName() throws {
        let protection = { (scheme: String) in "<ContentProtection schemeIdUri=\"\(scheme)\" value=\"cenc\"/>" }
        let text = MPD.one(
            protection("urn:mpeg:dash:mp4protection:2011") + protection("urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED")
                + "<SegmentTemplate media=\"$Number$\" duration=\"2\"/>")
        let presentation = try MPD.presentation(text)
        #expect(presentation.protection == .widevine && presentation.rendition("v")?.protection == .widevine)
        #expect(try MPD.segments(text).first?.encryption == .protected(.widevine))
        #expect(presentation.rendition("v")?.mediaType == "video/mp4")
    }
}
