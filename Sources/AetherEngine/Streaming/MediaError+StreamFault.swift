import AetherCore
import AetherFormats

extension MediaError {
    /// A manifest, or a list of segments, that cannot be played, and why.
    init(_ fault: StreamFault, of subject: String) {
        var code = Code.notMedia
        if case .protected = fault.kind { code = .unsupported }
        if case .refusedAddress = fault.kind { code = .unsupported }
        self.init(code, "play", subject: subject, reason: fault.description)
    }
}
