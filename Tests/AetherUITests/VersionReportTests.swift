import Testing

@testable import AetherUI

@Suite("Version report") struct VersionReportTests {
    @Test("The optional parts are named under the version, there or not")
    func parts() {
        #expect(
            App.versionReport(readsShares: true, readsDrives: false)
                == "\(App.version)\nShares (SMB, NFS): yes\nAudio CDs and Video CDs in a drive: no (aether-disc is not installed)"
        )
        #expect(
            App.versionReport(readsShares: false, readsDrives: true)
                == "\(App.version)\nShares (SMB, NFS): no (aether-share is not installed)\nAudio CDs and Video CDs in a drive: yes"
        )
    }
}
