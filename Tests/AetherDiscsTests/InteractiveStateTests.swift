import AetherTestSupport
import Testing

@testable import AetherFormats

/// The page of buttons that is shown.
struct InteractiveStateTests {
    private static func state(_ change: (inout MenuGraphics) -> Void = { _ in }) throws -> InteractiveState {
        var menu = InteractiveStreamTests.menu()
        change(&menu)
        return InteractiveState(try #require(InteractiveStreamTests.display(menu)))
    }

    @Test func arrowsMoveTheSelection() throws {
        var state = try Self.state { $0.pages[0].groups[1].buttons[0].actsAtOnce = false }
        #expect(state.selected == 1 && state.enabled == [1, 2] && state.isOpen && state.page.id == 0)
        #expect(state.move(.down, at: 1) == nil && state.selected == 2)
        #expect(state.move(.left, at: 2) == nil && state.selected == 2, "it leads to itself")
        #expect(state.move(.up, at: 3) == nil && state.selected == 1)
        #expect(state.choose(5, at: 4) == nil && state.selected == 1, "that one is not there")
        #expect(state.choose(2, at: 4) == nil && state.selected == 2)
        #expect(state.activate(at: 5)?.count == 2)
        #expect(state.phase(of: try #require(state.button(2)), at: 5) == .activated)
    }

    @Test func someButtonsActAtOnce() throws {
        var state = try Self.state()
        #expect(state.move(.down, at: 1)?.count == 2 && state.selected == 2)
        #expect(state.phase(of: try #require(state.button(2)), at: 1) == .activated)
        #expect(state.phase(of: try #require(state.button(1)), at: 1) == .normal)
        var first = try Self.state { $0.pages[0].selected = 2 }
        #expect(first.selected == 2 && first.commandsAtOnce(at: 0)?.count == 2)
        #expect(state.choose(1, at: 2) == nil && state.commandsAtOnce(at: 2) == nil)
    }

    /// The state after orders of the disc: selected, and those that are there.
    @Test(
        arguments: [
            ([.enable(5)], 1, [1, 5]), ([.disable(2)], 1, [1, nil]), ([.disable(1)], 2, [nil, 2]),
            ([.disable(1), .disable(2)], nil, [nil, nil]), ([.disable(1), .disable(2), .enable(5)], 5, [nil, 5]),
            ([.show(page: nil, button: 5)], 5, [1, 5]), ([.show(page: nil, button: 5), .enable(2)], 2, [1, 2]),
            ([.show(page: nil, button: 77)], 1, [1, 2]), ([.show(page: 0, button: 2)], 1, [1, 2]),
            ([.show(page: 9, button: 2)], 1, [1, 2]), ([.show(page: 7, button: nil)], nil, [nil]),
            ([.show(page: 7, button: 9)], 9, [9]), ([.show(page: 7, button: 1), .show(page: 0, button: nil)], 1, [1, 2]),
            ([.enable(88), .disable(99), .popUpOff, .still(true)], 1, [1, 2]),
        ] as [([HDMVMachine.PageOrder], Int?, [Int?])])
    func theDiscGivesOrders(_ orders: [HDMVMachine.PageOrder], _ selected: Int?, _ enabled: [Int?]) throws {
        var state = try Self.state { $0.pages[0].groups[1].buttons[0].actsAtOnce = false }
        for order in orders { #expect(state.take(order, at: 9) == nil) }
        #expect(state.selected == selected && state.enabled == enabled)
    }

    @Test func aMenuOverTheTitleOpensAndCloses() throws {
        var state = try Self.state { ($0.isPopUp, $0.idleTime) = (true, 90_000) }
        #expect(!state.isOpen && state.move(.down, at: 0) == nil && state.activate(at: 0) == nil && state.selected == 1)
        #expect(InteractivePlane(state, at: 0) == nil && state.nextChange(after: 0) == nil)
        #expect(state.open(true, at: 1000) == nil && state.isOpen && InteractivePlane(state, at: 1000) != nil)
        _ = state.take(.show(page: 7, button: nil), at: 1001)
        #expect(state.page.id == 7)
        #expect(state.take(.popUpOff, at: 2000) == nil && !state.isOpen)
        #expect(state.open(true, at: 3000) == nil && state.page.id == 0, "it begins with its first page")
        #expect(state.rest(at: 92_000) == false && state.isOpen && state.nextChange(after: 92_990) == 93_000)
        #expect(state.rest(at: 93_000) == true && !state.isOpen)
        // One that is always there goes back to its first page.
        var other = try Self.state { $0.idleTime = 90_000 }
        #expect(other.open(false, at: 0) == nil && other.isOpen)
        _ = other.take(.show(page: 7, button: nil), at: 10)
        #expect(other.rest(at: 90_000) == true && other.page.id == 0 && other.rest(at: 90_001) == false)
    }

    @Test func animationsStep() throws {
        // Each object stays for 5 frames of 3600 ticks.
        var state = try Self.state()
        func object(_ id: Int, _ time: Int64) throws -> Int? { state.object(of: try #require(state.button(id)), at: time) }
        #expect(try object(1, 0) == 1 && object(1, 17_999) == 1 && object(1, 18_000) == 2 && object(1, 36_000) == 1)
        #expect(try object(2, 18_000) == 0)
        #expect(state.nextChange(after: 0) == 18_000 && state.nextChange(after: 20_000) == 36_000)
        #expect(try object(1, -5) == 1, "before it was shown")
        _ = state.activate(at: 40_000)
        #expect(try object(1, 40_000) == 3 && object(1, 57_999) == 3 && object(1, 58_000) != 3, "the activated look ends")
        state = try Self.state { $0.pages[0].groups[0].buttons[0].isRepeated = false }
        #expect(try object(1, 18_000) == 2 && object(1, 360_000) == 2, "the last one stays")
        state = try Self.state { $0.pages[0].framesPerObject = 0 }
        #expect(try object(1, 360_000) == 1 && state.nextChange(after: 0) == nil)
    }

    @Test func theTimeForAChoiceIsOver() throws {
        var state = try Self.state()
        #expect(state.timeOut(at: 100, end: 4500) == nil && state.selected == 1)
        #expect(state.timeOut(at: 4500, end: 4500)?.count == 2 && state.selected == 2)
        #expect(state.timeOut(at: 5000, end: 4500) == nil, "once")
        var none = try Self.state { $0.pages[0].activated = 0xFFFF }
        #expect(none.timeOut(at: 4500, end: 4500) == nil)
    }

    @Test func theDiscChoosesWhatIsShownFirst() throws {
        let display = try #require(InteractiveStreamTests.display(InteractiveStreamTests.menu()))
        let second = InteractiveState(display, button: 5)
        #expect(second.selected == 5 && second.enabled == [1, 5])
        #expect(InteractiveState(display, page: 7, button: 9).page.id == 7)
        #expect(InteractiveState(display, page: 33, button: 44) == InteractiveState(display))
    }

    @Test func numbersChooseButtons() throws {
        func numbers(_ change: (inout MenuGraphics) -> Void) throws -> [[Int]] {
            try Self.state(change).numbers.map { [$0.number, $0.button.id] }
        }
        #expect(try numbers { _ in } == [[1, 1], [2, 2]])
        #expect(try numbers { $0.pages[0].groups[0].buttons[0].number = 7 } == [[7, 1], [2, 2]])
        #expect(try numbers { $0.pages[0].groups[0].buttons[0].number = 2 } == [[2, 1], [1, 2]], "each is one button's")
        #expect(
            try numbers { menu in
                for group in 0..<2 { menu.pages[0].groups[group].buttons[0].number = 0xFFFF }
            } == [[1, 1], [2, 2]])
        #expect(
            try numbers { menu in
                menu.pages[0].groups[1].buttons[0].selected = [0xFFFF, 0xFFFF]
                menu.pages[0].groups[1].buttons[0].normal = [0xFFFF, 0xFFFF]
            } == [[1, 1]], "what is not seen is not chosen")
    }

    @Test func thePageIsDrawn() throws {
        var state = try Self.state()
        let plane = try #require(InteractivePlane(state, at: 0))
        #expect(plane.x == 40 && plane.y == 60 && plane.width == 100 && plane.height == 80)
        func pixel(_ plane: InteractivePlane, _ x: Int, _ y: Int) -> UInt8 {
            plane.pixels[(y - plane.y) * plane.width + x - plane.x]
        }
        #expect(pixel(plane, 50, 65) == 2 && pixel(plane, 50, 125) == 1 && pixel(plane, 50, 100) == 0xFF)
        let key = InteractivePlane.key(state, at: 0)
        #expect(InteractivePlane.key(state, at: 10) == key && InteractivePlane.key(state, at: 18_000) != key)
        #expect(pixel(try #require(InteractivePlane(state, at: 18_000)), 99, 65) == 3)
        #expect(pixel(try #require(InteractivePlane(state, at: 18_000)), 100, 65) == 0xFF, "the second object is narrower")
        _ = state.move(.down, at: 20)
        #expect(pixel(try #require(InteractivePlane(state, at: 20)), 50, 125) == 4 && InteractivePlane.key(state, at: 20) != key)
        // What reaches over the edge is cut, and what lies beyond is not drawn.
        let edge = try Self.state { ($0.pages[0].groups[0].buttons[0].x, $0.pages[0].groups[1].buttons[0].y) = (300, 240) }
        let cut = try #require(InteractivePlane(edge, at: 0))
        #expect(cut.x == 300 && cut.width == 20 && cut.height == 20)
        #expect(InteractivePlane(try Self.state { $0.objects = [] }, at: 0) == nil)
    }
}
