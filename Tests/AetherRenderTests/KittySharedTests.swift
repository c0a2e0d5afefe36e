import AetherCore
import AetherTestSupport
import Synchronization
import Testing

@testable import AetherRender

/// Pictures through shared memory: who may write what when.
@Suite struct KittySharedTests {
    private let size = PixelSize(width: 24, height: 16)

    private func image(_ seed: Int) -> RasterImage {
        SyntheticFrames(width: size.width, height: size.height, seed: UInt64(seed)).noise(seed)
    }

    @Test func sendsAFrameInFewBytes() {
        var rig = KittyRig(size, store: ScriptedPixels())
        for index in 0..<20 {
            rig.show(image(index))
            #expect(rig.shown() == image(index) && rig.bytes.count <= 300 && rig.stats.squaredError == 0)
        }
        #expect(rig.isClean && rig.kitty.blanks == 0 && rig.kitty.pictures.count == 1, "\(rig.kitty.faults)")
        rig.show(image(19))
        #expect(rig.bytes.isEmpty)
        rig.clear()
        #expect(rig.kitty.pictures.isEmpty)
    }

    /// The picture lies over the text: where text covers it, it is clear, and whole again as soon as it does not.
    @Test func isClearWhereTextCoversIt() {
        var rig = KittyRig(size, store: ScriptedPixels())
        let image = image(1), cell = rig.placement.cell, origin = rig.placement.origin
        var coverage = CellCoverage(rig.screen.size)
        coverage.states[(origin.row + 1) * rig.screen.size.columns + origin.column + 2] = .covered
        rig.show(image, coverage: coverage)
        let shown = rig.shown()
        for y in 0..<size.height {
            for x in 0..<size.width {
                let isCovered = x / cell.width == 2 && y / cell.height == 1
                #expect((shown[x, y] == 0) == isCovered && (isCovered || shown[x, y] == image[x, y]), "\(x) \(y)")
            }
        }
        rig.show(image, coverage: coverage)
        #expect(rig.bytes.isEmpty)
        coverage.states[(origin.row + 1) * rig.screen.size.columns + origin.column + 2] = .uncovered
        rig.show(image, coverage: coverage)
        #expect(rig.shown() == image && rig.isClean)
    }

    @Test func waitsForTheTerminal() {
        var rig = KittyRig(size, store: ScriptedPixels())
        rig.isAnswering = false
        rig.show(image(0))
        #expect(rig.renderer.isReady)
        rig.show(image(1))
        #expect(!rig.renderer.isReady)
        rig.show(image(2))
        #expect(rig.bytes.isEmpty)
        rig.acknowledge(rig.kitty.answers[0])
        #expect(rig.renderer.isReady)
        rig.show(image(2))
        #expect(rig.shown() == image(2) && rig.renderer.isSharing)
    }

    /// Whatever happens to answers, no name is written again before its own came, and the picture is right in the end.
    @Test(arguments: 0..<40) func reusesNoNameBeforeItsAnswer(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let store = ScriptedPixels(slots: 3 + seed % 3)
        var rig = KittyRig(size, store: store)
        rig.isAnswering = false
        rig.isSlow = true
        var pending: [[UInt8]] = [], known = 0, time = HostTime(nanoseconds: 0)
        for step in 0..<120 {
            time = time + .milliseconds(Double(random.below(60)))
            rig.renderer.update(at: time)
            rig.show(image(step))
            if random.below(3) > 0 { rig.deliverNext() }
            pending += rig.kitty.answers[known...]
            known = rig.kitty.answers.count
            // Answers come late, in any order, twice, or never.
            while !pending.isEmpty, random.below(3) > 0 {
                let answer = pending.remove(at: random.below(pending.count))
                if random.below(12) == 0 { continue }
                Self.note(answer, store, rig)
                rig.acknowledge(answer)
                if random.below(10) == 0 { rig.acknowledge(answer) }
            }
        }
        #expect(store.state.withLock { $0.reused }.isEmpty)
        #expect(store.state.withLock { $0.written } > 1)
        for _ in 0..<200 { rig.deliverNext() }
        rig.isSlow = false
        rig.isAnswering = true
        rig.renderer.update(at: time + .milliseconds(5000))
        for _ in 0..<3 { rig.show(image(500)) }
        #expect(rig.shown() == image(500) && rig.isClean, "\(rig.kitty.faults)")
    }

    /// Tells the store which object an answer frees. The ring's ids follow those of pictures sent in-line.
    private static func note(_ answer: [UInt8], _ store: ScriptedPixels, _ rig: KittyRig) {
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasSuffix(";OK\u{1B}\\"), let id = Int(text.dropFirst(5).prefix { $0 != "," }) else { return }
        let slot = id - KittyRenderer.firstID - KittyStack.idCount
        store.state.withLock { state in
            if let name = state.names[slot] { state.awaited.remove(name) }
        }
    }

    @Test func fallsBackAfterSilenceAndReturns() {
        var rig = KittyRig(size, store: ScriptedPixels())
        rig.isAnswering = false
        var now = HostTime(nanoseconds: 5_000_000_000)
        rig.renderer.update(at: now)
        rig.show(image(0))
        #expect(rig.renderer.deadline == now + KittyRenderer.patience)
        now = now + KittyRenderer.patience - .milliseconds(1)
        rig.renderer.update(at: now)
        #expect(rig.renderer.isSharing)
        rig.renderer.update(at: now + .milliseconds(1))
        #expect(!rig.renderer.isSharing && rig.renderer.isReady && rig.renderer.deadline == nil)
        rig.show(image(1))
        #expect(rig.shown() == image(1) && rig.bytes.count > 300 && rig.kitty.pictures.count == 1)
        // It was only slow.
        rig.acknowledge(rig.kitty.answers[0])
        #expect(rig.renderer.isSharing)
        rig.show(image(2))
        #expect(rig.shown() == image(2) && rig.bytes.count <= 400 && rig.kitty.pictures.count == 1 && rig.isClean)
    }

    @Test func fallsBackWithoutAClock() {
        var rig = KittyRig(size, store: ScriptedPixels())
        rig.isAnswering = false
        for index in 0..<150 { rig.show(image(index)) }
        #expect(!rig.renderer.isSharing && rig.shown() == image(149))
    }

    @Test func fallsBackAfterAnError() {
        let store = ScriptedPixels()
        var rig = KittyRig(size, store: store)
        rig.show(image(0))
        rig.screen.kitty?.readShared = { _ in nil }
        rig.show(image(1))  // answered by EBADF
        #expect(!rig.renderer.isSharing)
        rig.show(image(2))
        #expect(rig.shown() == image(2) && rig.isClean)
        #expect(store.state.withLock { $0.objects.isEmpty })
    }

    @Test func fallsBackWhereTheSystemRefuses() {
        let store = ScriptedPixels()
        store.state.withLock { $0.refuses = true }
        var rig = KittyRig(size, store: store)
        rig.show(image(0))
        #expect(rig.shown() == image(0) && !rig.renderer.isSharing && rig.isClean)
    }

    @Test func takesNewNamesAfterBytesWereLost() {
        let store = ScriptedPixels()
        var rig = KittyRig(size, store: store)
        rig.isSlow = true
        rig.show(image(0))
        let lost = store.state.withLock { $0.names[0] }
        rig.renderer.invalidate()
        rig.isSlow = false
        for index in 1..<8 { rig.show(image(index)) }
        #expect(rig.shown() == image(7) && store.state.withLock { $0.names[0] } != lost && lost != nil)
    }

    @Test func ignoresForeignAnswers() {
        var rig = KittyRig(size, store: ScriptedPixels())
        rig.isAnswering = false
        rig.show(image(0))
        for id in [0, 1, 31, KittyRenderer.firstID - 1, KittyRenderer.firstID + KittyRenderer.idCount] {
            rig.renderer.acknowledge(id: id, placement: 1, message: "ENOENT:x")
        }
        rig.renderer.acknowledge(id: KittyRenderer.firstID + KittyStack.idCount, placement: 999, message: "ENOENT:stale")
        #expect(rig.renderer.isSharing)
    }
}
