import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Sources of audio alone where audio is switched off.
@Suite struct SilencedAudioTests {
    /// The code tells a host that nothing else, a page or a list, is to be looked for behind the address.
    @Test func audioAloneIsMediaThatCannotBePlayed() async throws {
        let path = try Clips.tone()
        let error = await #expect(throws: MediaError.self) { _ = try await Screening.of(path) { $0.audioOutput = .none } }
        #expect(error?.code == .unsupported && error?.reason == "it has no video, and audio is switched off", "\(error as Any)")
    }
}
