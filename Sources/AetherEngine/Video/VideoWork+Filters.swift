import AetherCore
import AetherMedia

/// A person's filters, behind the deinterlacer: they see whole frames, and each frame that comes out has its own time.
extension VideoWork where Decoder: ~Copyable {
    /// The graph that is wanted and was not refused.
    var wantedFilters: FilterGraph? {
        let wanted = context.pipeline.state.read { $0.intent.settings.videoFilters }
        return wanted == refusedFilters ? nil : wanted
    }

    /// Sends a whole frame through the filters, if there are any. Also on the way to a landing: what a filter remembers is right there.
    mutating func pass(_ frame: consuming DecodedFrame) throws(MediaError) {
        let wanted = wantedFilters
        if filters?.graph != wanted { try emptyFilters() }
        guard let wanted else { return try accept(frame) }
        if !(filters?.accepts(frame) ?? true) { try emptyFilters() }
        if filters == nil { filters = VideoFilters(wanted, threadCount: context.options.deinterlacerThreads) }
        do throws(MediaError) {
            try filters?.send(frame)
        } catch {
            filters = nil
            refusedFilters = wanted
            context.report(.notice(translated("\(error): video goes on without filters")))
            return try accept(frame)
        }
        try receiveFiltered()
    }

    private mutating func receiveFiltered() throws(MediaError) {
        while let frame = try filters?.receive() {
            try accept(frame)
            if !isCurrent { return }
        }
    }

    /// Takes out the frames that wait in the filters for others, and ends them.
    mutating func emptyFilters() throws(MediaError) {
        guard filters != nil else { return }
        defer { filters = nil }
        try filters?.finish()
        try receiveFiltered()
    }
}
