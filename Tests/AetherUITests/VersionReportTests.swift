import Testing

@testable import AetherUI

@Suite("Version report") struct VersionReportTests {
    @Test("The optional part is named under the version, there or not")
    func parts() {
        #expect(App.versionReport(readsShares: true) == "\(App.version)\nSMB shares: yes")
        #expect(App.versionReport(readsShares: false) == "\(App.version)\nSMB shares: no (aether-share is not installed)")
    }
}
