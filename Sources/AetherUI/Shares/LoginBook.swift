import AetherCore
import AetherSources
import Synchronization

/// The servers that the person has written down, and the names and passwords that were given while the player runs. They are put into
/// addresses on their way to a server, and stand in no list. Any thread; never blocks.
final class LoginBook: Sendable {
    private struct Login {
        let user: String
        let password: String
    }

    /// The servers and folders that the person has written down.
    let shares: [SavedShare]
    /// By their servers.
    private let logins = Mutex<[String: Login]>([:])

    init(_ shares: [SavedShare] = []) { self.shares = shares }

    /// An address with the name and the password that are known for its server; as it is where it has a password, or none is known.
    func completed(_ address: String) -> String {
        guard let server = RemotePath.server(of: address), let written = RemotePath.login(of: address), written.password == nil
        else {
            return address
        }
        if let login = logins.withLock({ $0[server] }), written.user.isEmpty || written.user == login.user {
            return RemotePath.withLogin(address, user: login.user, password: login.password)
        }
        guard written.user.isEmpty else { return address }
        let saved = shares.first { RemotePath.server(of: $0.address) == server }.flatMap { RemotePath.login(of: $0.address) }
        return saved.map { RemotePath.withLogin(address, user: $0.user, password: nil) } ?? address
    }

    /// A place with what is known for its server.
    func completed(_ location: MediaLocation) -> MediaLocation {
        guard case .url(let address) = location else { return location }
        return .url(completed(address))
    }

    /// The name by which a server would be asked, decoded; "" for none.
    func user(at address: String) -> String {
        let written = RemotePath.login(of: completed(address))?.user ?? ""
        return MediaLocation.percentDecoded(written[...])
    }

    /// A name and a password for the server of an address, as the person has typed them.
    func keep(user: String, password: String, for address: String) {
        guard let server = RemotePath.server(of: address) else { return }
        // `DOMAIN;name` and `DOMAIN\name` are the same; the first is the one of addresses.
        let user = user.replacing("\\", with: ";", maxReplacements: 1)
        let written = user.split(separator: ";", maxSplits: 1).map { ShareFolder.reference(String($0)) }.joined(separator: ";")
        let login = Login(user: written, password: ShareFolder.reference(password))
        logins.withLock { $0[server] = login }
    }
}
