import AetherCore
import Testing

/// What servers' faults are called.
@Suite struct NetworkFaultTests {
    /// Errors leave the secrets of addresses out, and an advice must not look like one.
    @Test(arguments: [NetworkFault.Kind.status(401), .denied, .login, .forbidden, .certificate, .proxy, .privateAddress])
    func adviceIsReadWhole(_ kind: NetworkFault.Kind) {
        let sentence = NetworkFault(kind).sentence
        #expect(sentence.contains(";") && MediaError(.cannotOpen, "open", reason: sentence).reason == sentence)
    }

    @Test(arguments: [
        (402, "paid"), (403, "refuses"), (404, "no such file"), (410, "gone"), (429, "too many"), (451, "law"), (503, "internal"),
    ])
    func numbersHaveWords(_ status: Int, _ word: String) {
        #expect(NetworkFault(.status(status)).sentence.contains(word))
    }
}
