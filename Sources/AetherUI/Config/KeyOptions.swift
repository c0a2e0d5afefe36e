import AetherCore
import AetherFormats
import AetherOptions
import AetherSources
public import ArgumentParser

/// Keys for encrypted media, on the command line.
public struct KeyOptions: ParsableArguments, Sendable {
    /// `--key`: name and key, in hexadecimal digits.
    @Option(
        help: .translated("A key for encrypted media, in hexadecimal digits; may be given several times.", form: "KID:KEY"))
    public var key: [String] = []

    /// `--key-file`: a file with such lines.
    @Option(
        help: .translated("Take keys for encrypted media from this file, a KID:KEY in each line.", value: "file"),
        completion: .file())
    public var keyFile: String?

    /// No keys.
    public init() {}

    /// Checks what types alone do not say, without repeating a secret.
    public func validate() throws { _ = try keys() }

    /// All keys. Blocks on the file.
    func keys() throws -> ContentKeys {
        var keys = ContentKeys()
        for text in key where !keys.add(text) {
            throw ValidationError(
                translated("--key takes a KID and its key, 32 hexadecimal digits each, with a colon between them."))
        }
        guard let keyFile else { return keys }
        let bytes: [UInt8]
        do {
            bytes = try FileReader(path: HomePath.expanded(keyFile)).bytes(limit: 1 << 20)
        } catch {
            throw ValidationError(translated("--key-file cannot read its file."))
        }
        if let line = keys.add(lines: bytes) {
            throw ValidationError(translated("--key-file: line \(line) is no KID:KEY of 32 hexadecimal digits each."))
        }
        return keys
    }
}
