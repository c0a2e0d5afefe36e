import AetherCore

@testable import AetherSources

/// Answers of a web server: lines of a head, as many as are admitted, and what is read out of their fields. Each line is taken for an
/// address, too, alone and as one that a document names.
func fuzzWebAnswer(_ input: UnsafeBufferPointer<UInt8>) {
    var lines = HTTPHeadLines()
    let base = WebAddress("https://media.example/a/b.mpd?q=1")
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(200) {
        let bytes = Array(line) + [0x0A]
        switch bytes.withUnsafeBytes({ lines.take($0) }) {
        case .more: break
        case .done(let head): check(head)
        case .tooMuch: precondition(input.count > 60_000)
        }
        let text = String(decoding: line, as: UTF8.self)
        for address in [WebAddress(text), base?.resolved(text)] {
            guard let address else { continue }
            precondition(!address.text.utf8.contains { $0 <= 0x20 || $0 == 0x7F } && !address.origin.host.isEmpty)
            precondition(!address.text.contains("#") && address.fileName.count <= 80)
            // What was read once is read alike.
            precondition(WebAddress(address.text)?.origin == address.origin)
        }
        _ = AddressClass(text)
    }
    _ = WebContent(Array(input.prefix(2048)))
}

private func check(_ head: HTTPHead) {
    if let length = head.contentLength { precondition(length >= 0) }
    if let range = head.contentRange, let bounds = range.bounds {
        precondition(bounds.lowerBound >= 0 && range.total.map { bounds.upperBound < $0 } ?? true)
    }
    if let wait = head.retryAfter { precondition(wait >= .zero && wait <= .seconds(86_400)) }
    if let tag = head.validator { precondition(tag.utf8.count <= 256) }
    _ = (head.weakTag, head.isPacked, head.wantsDigest, CacheRules.isStorable(head), CacheRules.forbids(head))
}
