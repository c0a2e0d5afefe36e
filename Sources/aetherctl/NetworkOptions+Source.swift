import AetherCore
import AetherMedia
import AetherOptions
import AetherSources

extension NetworkOptions {
    /// How servers are spoken to. Says on standard error where anyone may answer; of a file nothing is said.
    func http(for source: String) -> HTTPOptions {
        if insecure, case .url = MediaLocation.parse(source) {
            printError("aetherctl: " + translated("certificates are not checked: anyone may answer"))
        }
        return HTTPOptions(self)
    }

    /// The options for opening a container.
    func opening(_ analysis: OpenOptions.Analysis = .playback) -> OpenOptions {
        OpenOptions(
            probeSize: probeSize.map { Int64($0.bytes) }, maxAnalyzeDuration: analyzeTime.map { .seconds($0) },
            analysis: analysis)
    }
}
