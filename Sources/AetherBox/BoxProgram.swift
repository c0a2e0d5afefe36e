import AetherCore
import Glibc

/// The place of the program in the box.
public enum BoxProgram {
    /// Its name.
    public static let name = "aether-decoder"

    /// Beside our own program, or in the folder of such programs of the same installation; nil: not installed. Never by PATH: what decodes in
    /// our place must be ours. Blocks on the file system.
    public static func find() -> String? {
        var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = room.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        guard count > 0, let border = room[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let folder = String(decoding: room[..<border], as: UTF8.self)
        return ChildProgram.find(name, in: "\(folder):\(folder)/../libexec/aether-tui")
    }
}
