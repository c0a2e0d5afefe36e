import AetherCore
import AetherTestSupport
import Glibc
import Testing

@Suite(.enabled(if: !Sanitizer.isOn, "the sanitizer has a heap of its own")) struct HeapLayoutTests {
    /// A mapping begins with a page, of which glibc takes 16 bytes for itself. By itself it would have put the second block into the heap: it is
    /// smaller than the one that was let go of.
    @Test func largeBlocksAreMappedWhateverWasFreed() async {
        await #expect(processExitsWith: .success) {
            HeapLayout.mapLargeBlocks()
            free(malloc(16 << 20))
            let large = try (0..<8).map { _ in try #require(malloc(2 * HeapLayout.largeBlockBytes)) }
            #expect(large.allSatisfy { UInt(bitPattern: $0) % 4096 == 16 })
            large.forEach { free($0) }
        }
    }
}
