import AetherCore
import Glibc

/// Where the program lies that speaks with servers of shares. It is one of its own because libsmbclient is GPL-3 and blocks.
enum ShareProgram {
    static let name = "aether-share"

    /// All that it is given of our environment: libsmbclient's settings and Kerberos' tickets are found by them.
    static let variables = ["HOME", "PATH", "LANG", "KRB5CCNAME", "KRB5_CONFIG"]

    /// 30 s: twice what the program gives the server for one answer.
    static let patience = TimeSpan.seconds(30)

    /// The program tells of a server that is not there; where it ends without a word it has not run at all.
    static let mute = NetworkFault(.other, detail: "the program \(name) ends without an answer: is libsmbclient installed?")

    /// Where it lies. Throws where it is not installed. Blocks on the file system.
    static func required() throws(IOReaderError) -> String {
        if let program = find() { return program }
        throw .network(NetworkFault(.other, detail: "the program \(name) is not installed, which speaks with shares"))
    }

    /// Beside our own program, in the folder of such programs of the same installation, or on PATH; nil: not installed. Blocks on the file
    /// system.
    static func find() -> String? {
        var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = room.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        var folders = ""
        if count > 0, let border = room[..<count].lastIndex(of: UInt8(ascii: "/")) {
            let folder = String(decoding: room[..<border], as: UTF8.self)
            folders = "\(folder):\(folder)/../libexec/aether-tui:"
        }
        return ChildProgram.find(name, in: folders + (getenv("PATH").map { String(cString: $0) } ?? ""))
    }
}
