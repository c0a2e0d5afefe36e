import AetherCore
import Testing

struct ByteCountTests {
    @Test(arguments: [
        ("250000", 250_000), ("250K", 250_000), ("250k", 250_000), ("1.5M", 1_500_000), ("2M", 2_000_000), ("1G", 1_000_000_000),
        ("0", 0),
    ])
    func takesNumbersAndUnits(_ text: String, _ bytes: Int) { #expect(ByteCount(argument: text)?.bytes == bytes) }

    @Test(arguments: ["", "K", "-1", "1e9", "inf", "nan", "1KB", "1 M", "0x10", "99999999999999999999G", ".5M", "٣K"])
    func refusesTheRest(_ text: String) { #expect(ByteCount(argument: text) == nil) }
}
