/// Sessions that were asked to end, until their threads were waited for.
struct Teardown: Sendable {
    var stopsAsked = 0
    var stopsServed = 0
    var retired: [PlaybackSession] = []
}
