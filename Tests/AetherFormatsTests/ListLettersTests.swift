import Testing

@testable import AetherFormats

@Suite struct ListLettersTests {
    @Test(arguments: [
        ([0x43, 0x61, 0x66, 0xE9], ListLetters.latin1, "Café"), ([0xC0, 0x20, 0x6C, 0x61], .latin1, "À la"),
        ([0xD1, 0xEE, 0xED], .cyrillic, "Сон"), ([0xFF, 0x2E, 0x6D], .latin1, "ÿ.m"),
        ([0x93, 0xCC, 0xE8, 0xF0, 0x94], .cyrillic, "“Мир”"),
        ([0xD1, 0xEE, 0x20, 0x41, 0xE9, 0x20, 0x42, 0xE9], .latin1, "Ñî Aé Bé"),
    ])
    func lettersAreGuessedByWholeWords(_ bytes: [UInt8], _ letters: ListLetters, _ text: String) {
        #expect(ListLetters(bytes) == letters && letters.text(bytes) == text && letters.bytes(of: text) == bytes)
    }

    @Test func lettersThatASetLacksHaveNoBytes() {
        let all = (0...255).map { UInt8($0) }
        for letters in [ListLetters.latin1, .cyrillic] { #expect(letters.bytes(of: letters.text(all)) == all) }
        #expect(ListLetters.latin1.bytes(of: "я") == nil && ListLetters.cyrillic.bytes(of: "é") == nil)
    }

    /// Lists of channels in UTF-16 and Windows-1251, from a file and from a server.
    @Test func channelsOfOldMachinesAreRead() throws {
        let text = "#EXTM3U\r\n#EXTINF:-1 group-title=\"Кино\",Мир\r\nhttp://host/1\r\n"
        let wide = ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let narrow = try #require(ListLetters.cyrillic.bytes(of: text))
        let address = try #require(StreamAddress("http://host/get?id=1"))
        for bytes in [wide, narrow] {
            let list = ChannelList(bytes)
            #expect(list.isChannels && list.groups == ["Кино"] && list.name(0) == "Мир" && list.address(0) == "http://host/1")
            #expect(WebList.mayBegin(bytes, at: address) && WebList(bytes, at: address) == .channels(list))
        }
    }
}
