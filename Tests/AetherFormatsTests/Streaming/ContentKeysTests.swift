import AetherFormats
import Testing

/// Keys as people, files and licences write them.
struct ContentKeysTests {
    private static let name = "00112233445566778899aabbccddeeff", key = "0f0e0d0c0b0a09080706050403020100"

    @Test(arguments: [
        ("\(name):\(key)", true), ("00112233-4455-6677-8899-AABBCCDDEEFF:\(key)", true), ("\(name)", false), (":", false),
        ("", false),
        ("\(name):\(key):", false), ("\(name):\(key.dropLast(2))", false), ("\(name):\(key.dropLast())g", false),
        ("\(name):\(key)00", false),
        ("\(name)：\(key)", false), ("٠\(name.dropFirst()):\(key)", false),
    ])
    func aKeyOfTheCommandLine(_ text: String, _ isGood: Bool) throws {
        var keys = ContentKeys()
        let isTaken = keys.add(text)
        #expect(isTaken == isGood && keys.isEmpty == !isGood)
        let id = try #require(KeyID(Self.name))
        #expect(keys.key(id) == (isGood ? (0..<16).map { 15 - $0 } : nil) && id.description == Self.name)
    }

    @Test func aFileOfKeys() throws {
        var keys = ContentKeys()
        let good = keys.add(lines: Array("# mine\n\n \(Self.name):\(Self.key)\r\n".utf8))
        #expect(good == nil && !keys.isEmpty)
        let bad = keys.add(lines: Array("\(Self.name):\(Self.key)\nnothing\n".utf8))
        #expect(bad == 2)
    }

    @Test(arguments: [
        ("{\"keys\":[{\"kty\":\"oct\",\"kid\":\"ABEiM0RVZneImaq7zN3u_w\",\"k\":\"Dw4NDAsKCQgHBgUEAwIBAA\"}]}", 1),
        ("{\"keys\":[{\"kid\":\"ABEiM0RVZneImaq7zN3u_w\",\"k\":\"Dw4N\"},{\"k\":1},7]}", 0), ("{\"keys\":{}}", 0), ("[]", 0),
        ("<html>", 0),
    ])
    func aLicence(_ text: String, _ count: Int) throws {
        var keys = ContentKeys()
        let added = keys.add(licence: Array(text.utf8))
        #expect(added == count)
        #expect(try keys.key(#require(KeyID(Self.name))) == (count == 1 ? (0..<16).map { 15 - $0 } : nil))
        #expect(try ContentKeys.request([#require(KeyID(Self.name))]).contains("\"ABEiM0RVZneImaq7zN3u_w\""))
    }
}
