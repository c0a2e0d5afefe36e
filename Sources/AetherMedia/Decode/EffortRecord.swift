/// The efforts of decoders on their way into a box.
public enum EffortRecord {
    /// An effort as bytes.
    public static func put(_ effort: DecodeEffort, to record: inout RecordWriter) {
        let discard: UInt8 =
            switch effort.discard {
            case .none: 0
            case .nonReference: 1
            case .nonKey: 2
            }
        let filter: UInt8 =
            switch effort.skipLoopFilter {
            case .none: 0
            case .nonReference: 1
            case .bidirectional: 2
            case .all: 3
            }
        record.put(discard)
        record.put(filter)
        record.put(UInt8(clamping: effort.halvings))
        record.put(effort.omitsFilmGrain)
        record.put(effort.lowDelay)
        record.put(effort.tellsCoding)
    }

    /// The effort of a record.
    public static func effort(_ record: inout RecordReader) -> DecodeEffort {
        let discards: [DecodeDiscard] = [.none, .nonReference, .nonKey]
        let filters: [DecodeEffort.LoopFilterSkip] = [.none, .nonReference, .bidirectional, .all]
        let discard = discards[Int(record.integer(in: UInt8(0)...2))], filter = filters[Int(record.integer(in: UInt8(0)...3))]
        let halvings = Int(record.integer(UInt8.self)), omitsGrain = record.bool(), lowDelay = record.bool()
        return DecodeEffort(
            discard: discard, skipLoopFilter: filter, halvings: halvings, omitsFilmGrain: omitsGrain, lowDelay: lowDelay,
            tellsCoding: record.bool())
    }
}
