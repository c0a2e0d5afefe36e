import AetherCore
import AetherSources
import TOMLKit

/// A server, or a folder on one, that the person has written down.
struct SavedShare: Sendable, Equatable {
    /// Safe to display.
    let name: String
    /// With the person's name where one is written down.
    let address: String
}

/// The file of saved shares: `[nas]`, `address = "smb://nas/media"`, `user = "me"`, `domain = "HOME"`.
enum SharesFile {
    private static let keys = ["address", "user", "domain"]

    /// The shares in the order of their names. What is wrong with the file goes to the report.
    static func shares(_ document: TOMLDocument?, _ report: inout ConfigReport) -> [SavedShare] {
        guard let document else { return [] }
        let found = document.table.keys.compactMap { name in
            report.take { report throws(ConfigError) in try share(name, document, &report) }
        }
        return found.sorted { $0.name < $1.name }
    }

    private static func share(_ name: String, _ document: TOMLDocument, _ report: inout ConfigReport) throws(ConfigError)
        -> SavedShare
    {
        guard let table = document.table[name]?.table else {
            throw document.error([name], translated("is a table: write [\(name)] and below it address = \"smb://host/share\""))
        }
        for key in table.keys where !keys.contains(key) {
            report.warn(
                document.error(
                    [name, key],
                    translated("is not known; a share has address, user and domain")
                        + ConfigError.suggestion(for: key, among: keys)))
        }
        guard let address = table["address"]?.string, RemotePath.takesLogin(address),
            RemotePath.login(of: address)?.password == nil
        else {
            throw document.error(
                [name, "address"],
                translated(
                    "is an address without a password, such as \"smb://host/share\", \"nfs://host/path\" or \"davs://host/folder\""
                ))
        }
        let user = try text("user", of: name, table, document), domain = try text("domain", of: name, table, document)
        let written =
            user.isEmpty ? "" : (domain.isEmpty ? "" : ShareFolder.reference(domain) + ";") + ShareFolder.reference(user)
        let plain = address.hasSuffix("/") ? String(address.dropLast()) : address
        return SavedShare(
            name: DisplayText.singleLine(name, limit: 80), address: RemotePath.withLogin(plain, user: written, password: nil))
    }

    private static func text(
        _ key: String, of name: String, _ table: TOMLTable, _ document: TOMLDocument
    ) throws(ConfigError) -> String {
        guard let value = table[key] else { return "" }
        guard let text = value.string, !text.contains(where: \.isNewline) else {
            throw document.error([name, key], translated("is a name in quotes"))
        }
        return text
    }
}
