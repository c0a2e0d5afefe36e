@testable import AetherSources

/// The messages between the player and `aether-disc`, in both directions: none is beyond its bounds, each is the same after it was written and read
/// again, and the tracks of a disc lie within it, one behind the other.
func fuzzDriveFrames(_ input: UnsafeBufferPointer<UInt8>) {
    var assembly = WireFrames()
    assembly.take(UnsafeRawBufferPointer(input))
    do throws(WireFrames.Violation) {
        while let frame = try assembly.next() { checkDrive(frame) }
    } catch {}
}

private func checkDrive(_ frame: WireFrames.Frame) {
    if let request = DriveRequest(frame) {
        if case .read(_, let sector, let count) = request {
            precondition(1...DriveSector.limit ~= count && 0..<DriveTable.sectorLimit ~= sector)
        }
        precondition(again(request.frame).flatMap { DriveRequest($0) } == request)
    }
    guard let answer = DriveAnswer(frame) else { return }
    guard case .opened(let table) = answer else {
        precondition(again(answer.frame).flatMap { DriveAnswer($0) } == answer)
        return
    }
    var end = 0
    for index in table.tracks.indices {
        let track = table.tracks[index]
        precondition(track.start >= end && table.end(of: index) > track.start && table.end(of: index) <= table.leadOut)
        end = table.end(of: index)
        precondition(table.stretch(at: track.start) == (track.kind, end))
    }
    // Texts are shortened where they are written.
    guard case .opened(let read)? = again(answer.frame).flatMap({ DriveAnswer($0) }) else { fatalError("no table any more") }
    precondition(read.tracks.map(\.start) == table.tracks.map(\.start) && read.session == table.session)
}

private func again(_ bytes: [UInt8]) -> WireFrames.Frame? {
    var assembly = WireFrames()
    bytes.withUnsafeBytes { assembly.take($0) }
    do throws(WireFrames.Violation) {
        return try assembly.next()
    } catch {
        return nil
    }
}
