import AetherCore
import Glibc

/// The desktop's keyring: the Secret Service of freedesktop.org, as GNOME Keyring, KWallet and KeePassXC offer it on the session's bus. Passwords
/// are kept there for servers, by the server and the person's name on it. Each call blocks for `patience` at most for each of its questions.
public struct Keyring: Sendable {
    /// A name and its password.
    public struct Login: Sendable, Equatable {
        /// The person's name on the server.
        public let user: String
        /// The password.
        public let password: String

        /// A name and its password.
        public init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    private let bus: BusConnection.Kind
    private let patience: TimeSpan

    private static let service = "org.freedesktop.secrets", root = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret"
    private static let log = Log.module("keyring")

    /// The keyring on the session's bus. 3 s of patience: a service that is being started takes one.
    public init() { self.init(bus: .session) }

    init(bus: BusConnection.Kind, patience: TimeSpan = .seconds(3)) { (self.bus, self.patience) = (bus, patience) }

    /// The login that is kept for a server; `user` "": of any name. nil where none is, where there is no keyring, and where it is locked: nobody
    /// is asked to unlock it for a question that the person has not asked.
    public func login(at server: String, user: String) -> Login? {
        do throws(BusError) {
            let bus = try BusConnection(bus)
            let found = try call(bus, Self.root, "Service", "SearchItems", [.attributes(attributes(server, user))])
            guard case .paths(let items)? = found.first, let item = items.first else { return nil }
            let session = try openSession(bus)
            guard case .structure(let secret)? = try call(bus, item, "Item", "GetSecret", [.path(session)]).first,
                secret.count == 4,
                case .bytes(let bytes) = secret[2]
            else { return nil }
            let facts = try bus.call(
                Self.service, item, "org.freedesktop.DBus.Properties", "Get",
                [.string(Self.interface + ".Item"), .string("Attributes")], patience: patience)
            guard case .attributes(let words)? = facts.first?.content else { return nil }
            return Login(user: words["user"] ?? user, password: String(decoding: bytes, as: UTF8.self))
        } catch {
            Self.log.info("nothing found: \(error)")
            return nil
        }
    }

    /// Keeps a login, in place of the one before. Returns why not; nil where it is kept.
    public func keep(_ login: Login, at server: String) -> String? {
        do throws(BusError) {
            let bus = try BusConnection(bus)
            let session = try openSession(bus)
            let made = try call(
                bus, Self.root + "/aliases/default", "Collection", "CreateItem",
                [
                    .dictionary([
                        .init(Self.interface + ".Item.Label", .string("aether-tui: \(login.user) on \(server)")),
                        .init(Self.interface + ".Item.Attributes", .attributes(attributes(server, login.user))),
                    ]),
                    .structure([.path(session), .bytes([]), .bytes(Array(login.password.utf8)), .string("text/plain")]),
                    .bool(true),
                ])
            // A service that must ask the person first has made nothing: its window would lie over a full screen of ours.
            guard made.first?.text != "/" else { return "the keyring is locked" }
            return nil
        } catch {
            Self.log.info("not kept: \(error)")
            return "no keyring answers on the session's bus"
        }
    }

    private func attributes(_ server: String, _ user: String) -> [String: String] {
        let known = ["application": "aether-tui", "server": server]
        return user.isEmpty ? known : known.merging(["user": user]) { $1 }
    }

    /// Secrets go over the bus as they are: it is the person's own, and reaches no other machine.
    private func openSession(_ bus: borrowing BusConnection) throws(BusError) -> String {
        let answer = try call(bus, Self.root, "Service", "OpenSession", [.string("plain"), .variant(.string(""))])
        guard answer.count == 2, let session = answer[1].text else { throw BusError(number: EPROTO) }
        return session
    }

    private func call(
        _ bus: borrowing BusConnection, _ path: String, _ kind: String, _ member: String, _ arguments: [BusValue]
    ) throws(BusError) -> [BusValue] {
        try bus.call(Self.service, path, Self.interface + "." + kind, member, arguments, patience: patience)
    }
}
