import Testing

@testable import AetherFormats

/// Files of SAMI, each language by itself.
@Suite struct SAMIFileTests {
    private static let head =
        "<SAMI><HEAD><STYLE TYPE=\"text/css\"><!--\nP { margin: 1pt; }\n.KRCC { Name:Korean; lang: ko-KR; }\n"
        + ".ENCC { Name:English; lang:en-US; SAMIType:CC; }\n--></STYLE></HEAD>\n<BODY>\n"

    private func bodies(_ body: String) throws -> [String] {
        let file = try #require(SAMIFile(Array((Self.head + body).utf8)))
        return file.parts.map { part in
            let text = String(decoding: part.text, as: UTF8.self)
            #expect(text.hasPrefix(Self.head))
            return "\(part.language ?? "-"): " + text.dropFirst(Self.head.count)
        }
    }

    @Test func eachLanguageHasItsOwnParagraphs() throws {
        let body =
            "<SYNC Start=1000><P Class=KRCC>하나<P class=\"encc\">One\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n"
            + "<sync start=3000><P>Both"
        #expect(
            try bodies(body) == [
                "ko-kr: <SYNC Start=1000><P Class=KRCC>하나<sync start=3000><P>Both",
                "en-us: <SYNC Start=1000><P class=\"encc\">One\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n<sync start=3000><P>Both",
            ])
    }

    @Test func oneLanguageStaysWholeAndHasItsCharacters() throws {
        let body = "<SYNC Start=1000><P Class=KRCC>A &amp; B&nbsp;&quot;c&quot; &lt;b&gt; &x<P Class=KRC>D"
        #expect(
            try bodies(body) == ["-: <SYNC Start=1000><P Class=KRCC>A & B\u{A0}\"c\" &lt;b> &x<P Class=KRC>D"])
    }

    @Test(arguments: ["", "<SAM", "<html><SAMI>", "WEBVTT"]) func whatIsNoneIsNone(_ text: String) {
        #expect(SAMIFile(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "<SAMI>", "<SAMI><SYNC", "<SAMI><SYNC >", "<SAMI><SYNC ><P", "<SAMI><SYNC ><P >&", "<SAMI>.{}<SYNC ><P class=>",
    ])
    func whatBreaksOffIsKeptAsItIs(_ text: String) {
        #expect(SAMIFile(Array(text.utf8))?.parts == [SAMIFile.Part(language: nil, text: Array(text.utf8))])
    }
}
