import AetherCore
import AetherFormats

/// Manifests of DASH: a fault with one safe sentence, or tracks whose segments have places that agree with their numbers, and texts that
/// are safe.
func fuzzManifest(_ input: UnsafeBufferPointer<UInt8>) {
    guard let address = StreamAddress("https://host/folder/m.mpd?token=abc") else { return }
    do throws(StreamFault) {
        let document = try MPDDocument(Array(input), address: address)
        // Ten hours after the start, so that broadcasts have a window.
        let now = document.availabilityStart.map { $0.addingReportingOverflow(36_000_000_000_000).partialValue }
        var presentation = try Presentation(document, now: now)
        presentation.advance(to: (now ?? 0) &+ 90_000_000_000)
        presentation = presentation.following(try Presentation(document, now: now))
        precondition(Set(presentation.variants.map(\.id)).count == presentation.variants.count)
        precondition(Set(presentation.renditions.map(\.id)).count == presentation.renditions.count)
        for variant in presentation.variants { precondition(presentation.rendition(variant.rendition) != nil) }
        for rendition in presentation.renditions.prefix(20) {
            precondition(!rendition.addresses.isEmpty)
            if let index = rendition.index { check(index) }
        }
        precondition(!ManifestReport(presentation).text.unicodeScalars.contains { DisplayText.isUnsafe($0) && $0 != "\n" })
    } catch {
        precondition(!error.description.isEmpty && !error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
}

private func check(_ index: any SegmentIndex) {
    let numbers = index.numbers
    for number in Array(numbers.prefix(20)) + Array(numbers.suffix(5)) {
        guard let segment = index.segment(number) else { continue }
        precondition(segment.number == number && segment.duration >= .zero && segment.mediaOffset != nil)
        precondition(!segment.address.text.utf8.contains { $0 < 0x20 })
        if let bounds = segment.bounds {
            precondition(segment.start >= bounds.start && bounds.end.map { segment.end <= $0 } ?? true)
        }
    }
    for seconds: Int64 in [-1, 0, 7, 1 << 40] {
        if let found = index.number(at: Ticks(seconds, timescale: 1)) { precondition(numbers.contains(found)) }
    }
    precondition(index.segment(numbers.upperBound) == nil)
}

/// Operations of a patch upon a broadcast: it does not fit, or the changed manifest keeps every promise.
func fuzzManifestPatch(_ input: UnsafeBufferPointer<UInt8>) {
    let text = """
        <MPD id='m' type='dynamic' availabilityStartTime='2024-01-01T00:00:00Z' publishTime='2024-01-01T00:00:10Z' timeShiftBufferDepth='PT1M'>
        <Period id='1' start='PT0S'><AdaptationSet id='a' mimeType='video/mp4'><SegmentTemplate media='$Time$'><SegmentTimeline><S t='0' d='2' r='5'/>
        </SegmentTimeline></SegmentTemplate><Representation id='v'/></AdaptationSet></Period></MPD>
        """
    let head = "<Patch mpdId='m' originalPublishTime='2024-01-01T00:00:10Z'>"
    guard let address = StreamAddress("https://host/m.mpd"), let document = try? MPDDocument(Array(text.utf8), address: address)
    else {
        preconditionFailure("the manifest is good")
    }
    do throws(StreamFault) {
        let patched = try document.patched(by: Array(head.utf8) + Array(input) + Array("</Patch>".utf8))
        for rendition in try Presentation(patched, now: 1_704_067_300_000_000_000).renditions.prefix(20) {
            if let index = rendition.index { check(index) }
        }
    } catch {
        precondition(!error.description.isEmpty && !error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
}

/// Indexes in media files: however they refer to themselves, the search ends, and what it finds has bytes and rises.
func fuzzMediaIndex(_ input: UnsafeBufferPointer<UInt8>) {
    let file = Array(input.dropFirst())
    let type = input.first.map { $0 & 1 == 0 ? "video/mp4" : "video/webm" } ?? "video/mp4"
    let place = (input.first ?? 0) & 2 == 0 ? "" : "indexRange='0-4095'"
    let text = """
        <MPD mediaPresentationDuration='PT60S'><Period><AdaptationSet mimeType='\(type)'><Representation id='v'><BaseURL>f</BaseURL>
        <SegmentBase \(place)/></Representation></AdaptationSet></Period></MPD>
        """
    guard let address = StreamAddress("https://host/m.mpd"), let document = try? MPDDocument(Array(text.utf8), address: address),
        var presentation = try? Presentation(document)
    else { preconditionFailure("the manifest is good") }
    for pending in presentation.pendingIndexes(of: "v") {
        var search = pending.search
        search.run { offset, count in
            precondition(offset >= 0 && count > 0 && count <= MediaIndexSearch.byteLimit)
            return offset < file.count ? Array(file[Int(offset)...].prefix(count)) : []
        }
        presentation.attach(search, to: pending)
    }
    guard let index = presentation.rendition("v")?.index else { preconditionFailure("the rendition is there") }
    check(index)
}
