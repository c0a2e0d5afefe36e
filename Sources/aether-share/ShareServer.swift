import AetherSources

/// The servers of shares by their protocols. All calls block; one thread.
enum ShareServer {
    /// Opens a file.
    static func open(_ address: ShareAddress) throws(ServerRefusal) -> any ServerFile {
        switch address.scheme {
        case .smb: return try SMBFile(SMBSession(address))
        case .nfs:
            #if canImport(CNFS)
                return try NFSFile(NFSMount(address))
            #else
                throw withoutNFS
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
