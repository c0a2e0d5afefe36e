import Testing

@testable import AetherUI

@Suite("Version report") struct VersionReportTests {
    @Test("The optional part is named under the version, there or not")
    func parts() {
        #expect(App.versionReport(readsShares: true) == "\(App.version)\nShares (SMB, NFS): yes")
        #expect(App.versionReport(readsShares: false) == "\(App.version)\nShares (SMB, NFS): no (aether-share is not installed)")
    }
}
