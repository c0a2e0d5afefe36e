import Foundation
public import Testing

/// Compares bytes with the file `Golden/<name>.golden` beside the test. Escapes are stored visible, a line break after each CR LF
/// and before each CSI of a cursor move, so that a difference can be read.
///
/// With `RECORD_GOLDEN=1` the file is rewritten and the test fails once, so that a recording cannot pass unseen.
public func expectGolden(
    _ bytes: some Sequence<UInt8>, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
) {
    expectGolden(text: visible(bytes), name, file: file, location: location)
}

/// The same for text as it is.
public func expectGolden(
    text: String, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
) {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden")
    let path = folder.appendingPathComponent(name + ".golden")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try (text + "\n").write(to: path, atomically: true, encoding: .utf8)
            Issue.record("recorded \(path.path)", sourceLocation: location)
        } catch {
            Issue.record("cannot record \(path.path): \(error)", sourceLocation: location)
        }
        return
    }
    guard let stored = FileManager.default.contents(atPath: path.path) else {
        Issue.record("no \(path.path); record it with RECORD_GOLDEN=1", sourceLocation: location)
        return
    }
    let wanted = String(decoding: stored, as: UTF8.self)
    if wanted != text + "\n" {
        Issue.record("differs from \(name).golden\nwanted:\n\(wanted)got:\n\(text)", sourceLocation: location)
    }
}

/// Bytes as readable text: ESC as ␛, other controls as ^X, UTF-8 as it is.
public func visible(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x1B: text += "␛"
        case 0x0A: text += "^J\n"
        case 0..<0x20: text += "^" + String(Character(Unicode.Scalar(UInt8(scalar.value + 0x40))))
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text
}
