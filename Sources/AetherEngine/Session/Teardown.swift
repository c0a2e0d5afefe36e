/// Sessions that were asked to end, until somebody has waited for their threads.
struct Teardown: Sendable {
    var stopsAsked = 0
    var stopsServed = 0
    var retired: [PlaybackSession] = []
}
