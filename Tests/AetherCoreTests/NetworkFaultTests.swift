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
        (402, "paid"), (403, "refuses"), (404, "no such file"), (410, "gone"), (429, "too many"), (451, "law"), (500, "internal"),
        (502, "behind it"), (503, "overloaded"), (504, "behind it does not answer"),
    ])
    func numbersHaveWords(_ status: Int, _ word: String) {
        #expect(NetworkFault(.status(status)).sentence.contains(word))
    }

    @Test(arguments: [
        (NetworkFault.Kind.certificate, "--ca-file"), (.certificate, "--insecure"), (.proxy, "--http-proxy"),
        (.status(407), "--http-proxy"), (.hostKey, "known_hosts"), (.privateAddress, "--allow-lan"),
    ])
    func anAdviceNamesTheOption(_ kind: NetworkFault.Kind, _ option: String) {
        #expect(NetworkFault(kind).sentence.contains(option))
    }

    @Test(arguments: [(0.2, "1 s"), (30, "30 s"), (119, "119 s"), (119.5, "2 min"), (121, "3 min"), (7200, "2 h"), (9000, "3 h")])
    func aServerThatSaysWhenIsQuoted(_ seconds: Double, _ words: String) {
        let fault = NetworkFault(.status(503), retryAfter: .seconds(seconds))
        #expect(fault.sentence.hasSuffix("try again in \(words)"), "\(fault.sentence)")
        #expect(NetworkFault(.status(503)).sentence.hasSuffix("try later"))
    }

    @Test(arguments: [NetworkFault.Kind.status(401), .denied])
    func aWrongPasswordIsNoMissingOne(_ kind: NetworkFault.Kind) {
        let fault = NetworkFault(kind)
        for address in ["http://me:hunter2@host/film", "ftp://me@host/"] {
            #expect(fault.sentence(asked: address).contains("rejects this name and password"))
            #expect(!fault.sentence(asked: address).contains("hunter2"))
        }
        for address in ["http://host/film", "http://host/a@b", "http://host?x=@", "film.mkv"] {
            #expect(fault.sentence(asked: address) == fault.sentence)
        }
        // Other troubles do not change by a name.
        #expect(NetworkFault(.status(404)).sentence(asked: "http://me@host/") == NetworkFault(.status(404)).sentence)
    }
}
