import AetherSources

/// The servers of shares by their protocols. All calls block; one thread.
struct ShareServer {
    /// The connection over which the last file was opened, which the next one may take.
    private var session: SMBSession?
    #if canImport(CNFS)
        private var mount: NFSMount?
    #endif

    /// Opens a file, over the connection of the last one where that leads there.
    mutating func open(_ address: ShareAddress) throws(ServerRefusal) -> any ServerFile {
        switch address.scheme {
        case .smb:
            if let known = session?.leading(to: address) {
                do throws(ServerRefusal) {
                    return try SMBFile(known)
                } catch {
                    // It may be the connection that is not what it was.
                    if error.kind == .noFile { throw error }
                }
            }
            let fresh = try SMBSession(address)
            session = fresh
            return try SMBFile(fresh)
        case .nfs:
            #if canImport(CNFS)
                if let known = mount?.leading(to: address) {
                    do throws(ServerRefusal) {
                        return try NFSFile(known)
                    } catch {
                        if error.kind == .noFile { throw error }
                    }
                }
                let fresh = try NFSMount(address)
                mount = fresh
                return try NFSFile(fresh)
            #else
                throw Self.withoutNFS
            #endif
        }
    }

    /// Lists a folder, or the shares of a server: `say` takes the entries in portions.
    static func list(_ address: ShareAddress, say: ([ShareEntry]) -> Void) throws(ServerRefusal) {
        var portion: [ShareEntry] = []
        func take(_ entry: ShareEntry) {
            portion.append(entry)
            guard portion.count == ShareAnswer.entryLimit else { return }
            say(portion)
            portion = []
        }
        switch address.scheme {
        case .smb: try SMBFolder.list(SMBSession(address), say: take)
        case .nfs:
            #if canImport(CNFS)
                try NFSFolder.list(address, say: take)
            #else
                throw withoutNFS
            #endif
        }
        if !portion.isEmpty { say(portion) }
    }

    private static var withoutNFS: ServerRefusal { ServerRefusal(.other, "this build is without libnfs, which speaks NFS") }
}
