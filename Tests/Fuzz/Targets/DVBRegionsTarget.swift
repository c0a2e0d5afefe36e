import AetherFormats
@testable import AetherMedia

/// Packets of DVB subtitles, one behind the other: what is admitted never adds up to more than the limit, and a packet that was refused
/// has changed nothing.
func fuzzDVBRegions(_ input: UnsafeBufferPointer<UInt8>) {
    var regions = DVBRegions(), rest = input[...]
    while !rest.isEmpty {
        // A length, then so many bytes.
        let length = min(rest.count - 1, Int(rest.first ?? 0))
        let packet = UnsafeBufferPointer(rebasing: rest.dropFirst().prefix(length))
        let before = regions.pixelCount
        let isAdmitted = regions.admits(packet)
        precondition(regions.pixelCount <= DVBRegions.pixelLimit)
        precondition(isAdmitted || regions.pixelCount == before)
        rest = rest.dropFirst(1 + length)
    }
    for page in TeletextPage.headers(in: Array(input)) { precondition((100...899).contains(page.number)) }
}
