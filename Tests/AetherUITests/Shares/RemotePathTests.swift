import Testing

@testable import AetherUI

@Suite struct RemotePathTests {
    @Test(arguments: [
        ("smb://nas/share/Season 1", "smb://nas/share", "Season 1"), ("smb://nas/share", "smb://nas", "share"),
        ("smb://me@nas", "shares:", "smb://me@nas"), ("nfs://nas/a/b%20c/", "nfs://nas/a", "b%20c"),
        ("nfs://nas", "shares:", "nfs://nas"),
        ("http://host/a/b", "http://host/a", "b"), ("http://host/a", "http://host/", "a"),
    ])
    func theFolderAbove(_ path: String, _ above: String, _ name: String) throws {
        let found = try #require(RemotePath.parent(of: path))
        #expect(found == (above, name))
    }

    @Test func theRootOfAWebServerHasNoneAndNamesOnSharesMayHaveAnySign() {
        #expect(RemotePath.parent(of: "http://host/") == nil)
        #expect(RemotePath.parts(of: "smb://nas/s/a?b#c.mkv")?.name == "a?b#c.mkv")
        #expect(RemotePath.parts(of: "http://host/s/a?b")?.name == "a")
        #expect(RemotePath.readable("smb://me:pw@nas/s/a%20b") == "smb://***@nas/s/a b")
    }

    @Test(
        arguments: [
            ("smb://nas/s", "me", "p", "smb://me:p@nas/s"), ("smb://x:y@nas:445/s/a@b", "me", nil, "smb://me@nas:445/s/a@b"),
            ("sftp://host", "D;me", "p", "sftp://D;me:p@host"), ("/home/a", "me", "p", "/home/a"),
            ("https://h/a", "", "p", "https://h/a"),
        ] as [(String, String, String?, String)])
    func loginsStandBeforeTheHost(_ address: String, _ user: String, _ password: String?, _ expected: String) {
        #expect(RemotePath.withLogin(address, user: user, password: password) == expected)
    }

    @Test func serversAreToldByHostAndPort() {
        #expect(RemotePath.server(of: "smb://Me:p@NAS:445/s/f") == "smb://nas:445")
        #expect(RemotePath.server(of: "davs://me@host/f") == "https://host")
        #expect(RemotePath.server(of: "/home") == nil)
    }
}
