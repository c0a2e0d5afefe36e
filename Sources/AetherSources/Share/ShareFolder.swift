public import AetherCore
import Synchronization

/// A folder on a server of shares, or the shares of one: `smb://host`, `smb://host/share/folder`, `nfs://host/path`.
public final class ShareFolder: Folder {
    /// The address, with name and password where they were given, without a slash at its end.
    public let address: String
    private let wake = WakeHandle()
    private let isCancelled = Atomic(false)

    /// A folder by its address; nothing is asked of the server yet.
    public init(_ address: String) {
        var address = address[...]
        while address.last == "/" { address.removeLast() }
        self.address = String(address)
    }

    /// See `Folder`. Throws `.network` also where the program that speaks with servers of shares is not installed.
    public func contents(
        limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool
    ) throws(IOReaderError) -> DirectoryContents {
        let program = try ShareProgram.required()
        let found = try list(program, time: SystemTime(), limit: limit, includesHidden: includesHidden, where: isWanted)
        let entries = found.entries.map {
            DirectoryContents.Entry(
                name: $0.name, isDirectory: $0.isFolder, bytes: Int64(clamping: $0.size),
                changed: $0.modified == 0 ? nil : FileDate(secondsSince1970: Int(clamping: $0.modified)))
        }
        return DirectoryContents(sorting: entries, isCut: found.isCut)
    }

    /// See `Folder`.
    public func location(of name: String) -> MediaLocation { .url(joined(name)) }

    /// See `Folder`.
    public func folder(_ name: String) -> any Folder { ShareFolder(joined(name)) }

    /// See `Folder`.
    public func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wake.wake()
    }

    private func joined(_ name: String) -> String { address + "/" + Self.reference(name) }

    /// A name as addresses have it: all but letters, digits and `-._~` in percent codes.
    public static func reference(_ name: String) -> String {
        name.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// The folder of a file, and the file's name there, decoded; nil where the address is none of a file on a share.
    static func parts(of url: String) -> (folder: String, name: String)? {
        guard let address = ShareAddress(url), let name = address.path.split(separator: "/").last, !url.hasSuffix("/"),
            let slash = url.lastIndex(of: "/")
        else { return nil }
        return (String(url[..<slash]), String(name))
    }

    /// Asks a program for the entries.
    func list(
        _ program: String, time: any TimeSource, limit: Int, includesHidden: Bool, where isWanted: (String) -> Bool
    ) throws(IOReaderError) -> (entries: [ShareEntry], isCut: Bool) {
        guard let address = ShareAddress(address) else {
            throw .network(NetworkFault(.invalidAddress, detail: "smb://host/share/folder or nfs://host/path is one"))
        }
        guard var link = ShareLinks(.list(address), program: program) else {
            throw .network(NetworkFault(.other, detail: "\(ShareProgram.name) does not start"))
        }
        var found: [ShareEntry] = [], seen = 0
        while true {
            switch try answer(&link, time) {
            case .entries([]): return (found, false)
            case .entries(let entries):
                seen += entries.count
                for entry in entries
                where (includesHidden || !entry.name.hasPrefix(".")) && (entry.isFolder || isWanted(entry.name)) {
                    guard found.count < limit else { return (found, true) }
                    found.append(entry)
                }
                if seen > DirectoryListing.entryLimit { return (found, true) }
            case .failure(_, let refusal, let text): throw .network(NetworkFault(refusal.kind, detail: text))
            case .opened, .filled: throw .network(NetworkFault(.badAnswer))
            }
        }
    }

    private func answer(_ link: inout ShareLinks, _ time: any TimeSource) throws(IOReaderError) -> ShareAnswer {
        let deadline = time.now() + ShareProgram.patience
        while true {
            if isCancelled.load(ordering: .acquiring) { throw .cancelled }
            switch link.wait(wake, until: deadline, now: time.now) {
            case .answer(let answer, _): return answer
            case .late: throw .network(NetworkFault(.timedOut))
            case .ended: throw .network(ShareProgram.mute)
            case .woken: wake.drain()
            }
        }
    }
}
