import AetherCore

@testable import AetherMedia

/// Subtitle lines with override blocks and script headers: what is left is a few safe lines with places on the picture.
func fuzzASSText(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    let script = ASSScript(header: text)
    let style = script.style(named: "Default")
    for field in [text[...], ASSText.fields(ofEvent: text)?.text ?? ""] {
        let read = ASSText(field, style: style, script: script)
        let lines = read.body?.lines ?? []
        precondition(lines.count <= 16)
        precondition(lines.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: DisplayText.isUnsafe) })
        if let placement = read.placement { check(placement) }
    }
    let drawn = ASSLimits().bounded(text)
    precondition(ASSLimits().bounded(drawn.markup).markup == drawn.markup)
}

private func check(_ placement: SubtitleTextPlacement) {
    precondition((1...9).contains(placement.alignment))
    if let point = placement.position { precondition((0...1).contains(point.x) && (0...1).contains(point.y)) }
}
