import AetherCore
import AetherRender
import Foundation
import Testing

struct EncoderChoiceTests {
    private typealias Renderer = EncoderChoice.Renderer

    /// A terminal with everything, from which each test takes away.
    private static func rich(_ change: (inout DisplayTraits) -> Void = { _ in }) -> DisplayTraits {
        var traits = DisplayTraits(depth: .trueColor, isUTF8: true)
        traits.glyphs = .octants
        traits.sixel = DisplayTraits.Sixel(registers: 256)
        traits.hasInlineImages = true
        var kitty = DisplayTraits.Kitty()
        kitty.hasSharedMemory = true
        traits.kitty = kitty
        change(&traits)
        return traits
    }

    private static let ladder: [(EncoderChoice.Renderer, DisplayTraits)] = [
        (.kitty, rich()),
        (.kitty, rich { $0.kitty?.hasSharedMemory = false }),
        (.sixel, rich { $0.kitty = nil }),
        (.iterm2, rich { ($0.kitty, $0.sixel) = (nil, nil) }),
        (.octant, cells(.octants)), (.sextant, cells(.sextants)), (.quadrant, cells(.quadrants)),
        (.halfblock, cells(.halfBlocks)),
        (.ascii, rich { ($0.kitty, $0.sixel, $0.hasInlineImages, $0.isUTF8) = (nil, nil, false, false) }),
        (.ascii, rich { $0.depth = .mono }),
        (.ascii, rich { ($0.depth, $0.isUTF8) = (.mono, false) }),
        // Pixels need no UTF-8.
        (.sixel, rich { ($0.kitty, $0.isUTF8) = (nil, false) }),
        // Across SSH cells, unless the memory was read: then it is this machine.
        (.octant, rich { ($0.kitty, $0.isRemote) = (DisplayTraits.Kitty(), true) }),
        (.octant, rich { ($0.kitty, $0.isRemote) = (nil, true) }),
        (.kitty, rich { $0.isRemote = true }),
        (.halfblock, DisplayTraits(depth: .indexed16, isUTF8: true)),
    ]

    private static func cells(_ glyphs: DisplayTraits.Glyphs) -> DisplayTraits {
        rich { ($0.kitty, $0.sixel, $0.hasInlineImages, $0.glyphs) = (nil, nil, false, glyphs) }
    }

    @Test func takesTheBestThatIsProven() {
        for (expected, traits) in Self.ladder {
            let choice = EncoderChoice.choose(requested: nil, traits: traits)
            #expect(choice?.renderer == expected, "\(traits)")
            #expect(choice?.depth == traits.depth)
            #expect(choice?.reasons.isEmpty == false)
        }
    }

    @Test func tellsThatPixelsCanBeHadAcrossSSH() {
        let reasons = EncoderChoice.choose(requested: nil, traits: Self.rich { ($0.kitty, $0.isRemote) = (nil, true) })?.reasons
        #expect(reasons?.last == "across SSH cells need far fewer bytes; --renderer sixel sends pixels all the same")
    }

    @Test func drawsWhatIsAskedForWhereItCanBeShown() {
        let bare = DisplayTraits(depth: .indexed256, isUTF8: true), ascii = DisplayTraits(depth: .mono, isUTF8: false)
        for renderer in Renderer.allCases {
            #expect(EncoderChoice.choose(requested: renderer, traits: Self.rich())?.renderer == renderer)
            let isCells = ![.sixel, .kitty, .iterm2].contains(renderer)
            #expect((EncoderChoice.choose(requested: renderer, traits: bare) != nil) == isCells, "\(renderer)")
            #expect((EncoderChoice.choose(requested: renderer, traits: ascii) != nil) == (renderer == .ascii), "\(renderer)")
        }
    }

    /// A refusal names a way out, and the way out is open.
    @Test func everyRefusalSaysWhatToDo() {
        for traits in Self.ladder.map(\.1) + [DisplayTraits(depth: .mono, isUTF8: false)] {
            for isTmux in [false, true] {
                var traits = traits
                traits.isTmux = isTmux
                for renderer in Renderer.allCases {
                    guard let obstacle = EncoderChoice.obstacle(to: renderer, traits: traits) else {
                        #expect(EncoderChoice.choose(requested: renderer, traits: traits) != nil)
                        continue
                    }
                    #expect(EncoderChoice.choose(requested: renderer, traits: traits) == nil)
                    let proposal = obstacle.components(separatedBy: "use --renderer ").last.flatMap(Renderer.init(rawValue:))
                    #expect(proposal != nil, "\(obstacle)")
                    if let proposal { #expect(EncoderChoice.obstacle(to: proposal, traits: traits) == nil, "\(obstacle)") }
                }
            }
        }
    }
}
