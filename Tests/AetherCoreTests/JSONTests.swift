import AetherCore
import Foundation
import Testing

@Suite struct JSONTests {
    private let value = JSON.object([
        (
            "b\"\\\n\u{7}",
            .array([.null, .bool(true), .integer(.min), .number(1.5), .number(.infinity), .string("ü\u{1F3AC}\u{202E}")])
        ),
        ("a", .object([])), ("c", .object([("d", .number(2))])),
    ])

    @Test func aReportKeepsTheOrderOfItsNames() {
        #expect(
            value.report == #"""
                {
                    "b\"\\\n\u0007": [
                        null,
                        true,
                        -9223372036854775808,
                        1.5,
                        null,
                        "ü🎬\u202e"
                    ],
                    "a": {},
                    "c": {
                        "d": 2
                    }
                }
                """#)
    }

    @Test func aLineHasItsNamesInTheOrderOfTheAlphabet() {
        #expect(
            value.line
                == #"{"a":{},"b\"\\\n\u0007":[null,true,-9223372036854775808,1.5,null,"ü🎬\u202e"],"c":{"d":2}}"#)
    }

    @Test func othersReadBoth() throws {
        for text in [value.line, value.report] {
            let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let list = try #require(read["b\"\\\n\u{7}"] as? [Any])
            #expect(list.count == 6 && list[2] as? Int == .min && list[4] is NSNull && list[5] as? String == "ü\u{1F3AC}\u{202E}")
            #expect((read["a"] as? [String: Any])?.isEmpty == true)
        }
    }

    @Test func whatIsReadKeepsItsOrder() throws {
        let read = try JSON(#"{"b":1,"a":[],"b":2,"c":{"z":0,"y":0}}"#.utf8)
        #expect(read == .object(["a": .array([]), "b": .number(2), "c": .object(["y": .number(0), "z": .number(0)])]))
        guard case .object(let members) = read else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.key) == ["b", "a", "c"])
        #expect(read["b"]?.integer == 2 && read["a"]?.values == [] && read["d"] == nil)
    }

    /// Names are compared by a table: an object of a hundred thousand names is read in a moment.
    @Test func manyNamesAreReadInTheTimeOfTheirBytes() throws {
        let text = "{" + (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        guard case .object(let members) = try JSON(text.utf8) else {
            Issue.record("no object")
            return
        }
        #expect(members.reduce(0) { count, _ in count + 1 } == 100_000)
    }

    @Test(
        arguments: [
            (JSON.integer(5), 5.0, true), (.number(5), 5, true), (.string("5"), 5, true), (.number(5.5), 5.5, false),
            (.null, nil, false), (.string("x"), nil, false), (.string("inf"), nil, false),
        ] as [(JSON, Double?, Bool)])
    func aNumberIsUnderstoodAlsoAsAText(_ value: JSON, _ number: Double?, _ isWhole: Bool) {
        #expect(value.number == number && (value.integer != nil) == isWhole)
    }
}
