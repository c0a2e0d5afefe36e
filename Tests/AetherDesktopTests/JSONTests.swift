import AetherCore
import Testing

@testable import AetherDesktop

@Suite struct JSONTests {
    @Test(arguments: [
        (#"{"id":1,"get":"position"}"#, RemoteRequest(.get("position"), id: .number(1))),
        (#" { "action" : "seek -5" } "#, RemoteRequest(.action("seek -5"))),
        (#"{"command":["seek",63.5,"exact"]}"#, RemoteRequest(.command("seek", [.number(63.5), .string("exact")]))),
        (#"{"command":"play","id":"x"}"#, RemoteRequest(.command("play", []), id: .string("x"))),
        (#"{"set":"subtitle-track","value":null}"#, RemoteRequest(.set("subtitle-track", .null))),
        (#"{"observe":"volume"}"#, RemoteRequest(.observe("volume", true))),
        (#"{"unobserve":"volume"}"#, RemoteRequest(.observe("volume", false))),
        (#"{"action":"\u0041\ud83c\udfac\n\/"}"#, RemoteRequest(.action("A🎬\n/"))),
    ])
    func aLineIsUnderstoodAndSaidAgain(_ line: String, _ wanted: RemoteRequest) throws {
        let request = try RemoteRequest(line: Array(line.utf8))
        #expect(request == wanted)
        #expect(try RemoteRequest(line: Array(request.line.utf8)) == wanted)
    }

    @Test(arguments: [
        "", "{", "[]", "1", "{}", #"{"get":1}"#, #"{"get":"a","set":"b"}"#, #"{"set":"volume"}"#, #"{"command":[]}"#,
        #"{"command":[1]}"#, #"{"get":"a"} x"#, #"{"get":"a"#, "{\"get\":\"a\u{1}\"}", #"{"get":"\ud800"}"#, #"{"get":"\x"}"#,
        #"{"get":01}"#, #"{"id":1e999,"get":"a"}"#, String(repeating: "[", count: 60_000), #"{"a":tru}"#,
    ])
    func anythingElseIsRefused(_ line: String) {
        #expect(throws: RemoteRequest.Flaw.self) { try RemoteRequest(line: Array(line.utf8)) }
    }

    @Test func aFlawNamesTheRequestWhereItCan() {
        do throws(RemoteRequest.Flaw) {
            _ = try RemoteRequest(line: Array(#"{"id":7,"set":"volume"}"#.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error == RemoteRequest.Flaw(id: .number(7), reason: "set takes a value"))
        }
    }

    @Test func whatIsWrittenStaysOnItsLine() {
        let value = JSON.object([
            "b": .string("a\n\u{1B}\u{2028}\u{85}\"\\"), "a": .array([.number(1), .number(1.5), .null, .bool(true)]),
        ])
        #expect(value.line == #"{"a":[1,1.5,null,true],"b":"a\n\u001b\u2028\u0085\"\\"}"#)
        #expect(JSON(Double.nan) == .null && JSON.number(.infinity).line == "null")
        #expect(RemoteAnswer.failure("no").line(id: .number(3)) == #"{"error":"no","id":3,"ok":false}"#)
        #expect(RemoteAnswer.value(.number(2)).line(id: .null) == #"{"ok":true,"value":2}"#)
    }

    @Test func linesComeInPiecesAndLongOnesEndIt() {
        var buffer = LineBuffer()
        buffer.append(Array("one\r\ntw".utf8))
        #expect(buffer.nextLine() == Array("one".utf8))
        #expect(buffer.nextLine() == nil)
        buffer.append(Array("o\n\nx".utf8))
        #expect(buffer.nextLine() == Array("two".utf8))
        #expect(buffer.nextLine() == [])
        #expect(buffer.nextLine() == nil && !buffer.hasOverflowed)
        buffer.append(Array(repeating: 0x61, count: LineBuffer.lineLimit))
        #expect(buffer.nextLine() == nil && buffer.hasOverflowed)
        buffer.append([0x0A])
        #expect(buffer.nextLine() == nil)
        var short = LineBuffer(limit: 3)
        short.append(Array("abc\nabcd\n".utf8))
        #expect(short.nextLine() == Array("abc".utf8))
        #expect(short.nextLine() == nil && short.hasOverflowed)
    }
}
