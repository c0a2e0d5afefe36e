import AetherSources
import CSMBClient
import Glibc

/// A folder on a server of SMB, or the shares of one.
enum SMBFolder {
    /// FILE_ATTRIBUTE_DIRECTORY of MS-FSCC.
    private static let folderBit: UInt16 = 0x10

    /// Lists it: `say` takes the entries as they come. Blocks.
    static func list(_ session: SMBSession, say: (ShareEntry) -> Void) throws(ServerRefusal) {
        let context = session.context
        errno = 0
        guard let folder = smbc_getFunctionOpendir(context)(context, session.url) else { throw session.refusal(errno) }
        defer { _ = smbc_getFunctionClosedir(context)(context, folder) }
        errno = 0
        if session.address.share.isEmpty {
            while let item = smbc_getFunctionReaddir(context)(context, folder) {
                if let entry = share(item) { say(entry) }
            }
        } else {
            while let item = smbc_getFunctionReaddirPlus(context)(context, folder) {
                if let entry = entry(item) { say(entry) }
            }
        }
    }

    private static func entry(_ item: UnsafePointer<libsmb_file_info>) -> ShareEntry? {
        guard let name = item.pointee.name.flatMap({ String(validatingCString: $0) }), ShareEntry.isName(name) else { return nil }
        return ShareEntry(
            name: name, isFolder: item.pointee.attrs & folderBit != 0, size: min(item.pointee.size, UInt64(Int64.max)),
            modified: UInt64(max(0, csmb_entry_modified(item))))
    }

    /// nil for printers and for what servers hide.
    private static func share(_ item: UnsafeMutablePointer<smbc_dirent>) -> ShareEntry? {
        let start = UnsafeMutableRawPointer(item) + (MemoryLayout<smbc_dirent>.offset(of: \.name) ?? 0)
        guard item.pointee.smbc_type == UInt32(SMBC_FILE_SHARE),
            let name = String(validatingCString: start.assumingMemoryBound(to: CChar.self)), ShareEntry.isName(name),
            !name.hasSuffix("$")
        else { return nil }
        return ShareEntry(name: name, isFolder: true)
    }
}
