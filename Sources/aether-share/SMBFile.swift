import AetherSources
import CSMBClient
import Glibc

/// A file that is open on a server of SMB.
struct SMBFile: ServerFile {
    private let session: SMBSession
    private let handle: OpaquePointer
    private var position: Int64 = 0
    let size, modified: UInt64

    /// Connects and opens.
    init(_ session: SMBSession) throws(ServerRefusal) {
        let context = session.context
        errno = 0
        guard let handle = smbc_getFunctionOpen(context)(context, session.url, O_RDONLY, 0) else {
            throw session.refusal(errno)
        }
        var status = stat()
        guard smbc_getFunctionFstat(context)(context, handle, &status) == 0 else { throw ServerRefusal(errno: errno) }
        (self.session, self.handle) = (session, handle)
        (size, modified) = (UInt64(max(0, status.st_size)), UInt64(max(0, csmb_modified(&status))))
    }

    func close() { _ = smbc_getFunctionClose(session.context)(session.context, handle) }

    mutating func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Int? {
        let context = session.context
        if position != offset {
            guard smbc_getFunctionLseek(context)(context, handle, off_t(offset), SEEK_SET) >= 0 else { return nil }
            position = offset
        }
        var filled = 0
        while filled < room.count, let start = room.baseAddress {
            let more = smbc_getFunctionRead(context)(context, handle, start + filled, room.count - filled)
            if more < 0 { return nil }
            if more == 0 { break }
            filled += more
        }
        position += Int64(filled)
        return filled
    }
}
