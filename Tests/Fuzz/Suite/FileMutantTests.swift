import AetherTestSupport
import Testing

@Suite struct FileMutantTests {
    private static let seed = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private func mutants(_ count: Int, of seed: [UInt8], places: [Int] = [], from number: UInt64 = 0) -> [[UInt8]] {
        let mutant = FileMutant(of: seed, places: places)
        return (0..<count).map { index in
            var random = SeededRandom(seed: number + UInt64(index))
            return mutant.next(using: &random)
        }
    }

    @Test func theSameNumberIsTheSameMutantWhateverCameBefore() {
        let all = mutants(40, of: Self.seed, places: [0, 100])
        #expect(mutants(20, of: Self.seed, places: [0, 100], from: 20) == Array(all[20...]))
        #expect(Set(all).count > 35)
    }

    @Test func noneIsLongerThanTheSeedAndAHalf() {
        for seed in [[], [1], Self.seed] {
            for mutant in mutants(500, of: seed, places: [0, 3999, 4000, -1]) {
                #expect(mutant.count <= seed.count + seed.count / 2 + 64)
            }
        }
    }

    /// Of bytes that only change their value: most lie where a reader looks.
    @Test func mostChangesAreAtThePlacesOfAReader() {
        let changed = mutants(2000, of: Self.seed, places: Array(1000..<1064)).filter { $0.count == Self.seed.count }
            .map { mutant in mutant.indices.filter { mutant[$0] != Self.seed[$0] } }
            .filter { $0.count <= 128 }.flatMap { $0 }
        let near = changed.filter { (1000..<1192).contains($0) }.count
        #expect(near * 3 > changed.count * 2 && near < changed.count)
    }
}
