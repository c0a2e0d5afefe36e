import AetherCore
import AetherSources

/// The requests to servers over time, each a row: waiting for its answer, then receiving it. Pure.
struct Waterfall {
    /// A row.
    struct Row: Equatable {
        let name, bar, figures: String
        let isTrouble: Bool
    }

    private let requests: [NetworkRequest]
    private let now: HostTime

    /// The time that a bar is wide.
    private static let span = TimeSpan.seconds(30)

    /// `requests` from the oldest on.
    init(_ requests: [NetworkRequest], now: HostTime) { (self.requests, self.now) = (requests, now) }

    /// The newest first, at most so many; `width` is that of the bars, whose right end is now.
    func rows(_ count: Int, width: Int, isUnicode: Bool) -> [Row] {
        requests.suffix(max(0, count)).reversed().map { request in
            Row(
                name: name(request), bar: bar(request, width, isUnicode), figures: figures(request),
                isTrouble: !request.trouble.isEmpty || (request.status ?? 200) >= 400)
        }
    }

    private func name(_ request: NetworkRequest) -> String {
        request.name + (request.offset.map { $0 > 0 ? " @\($0)" : "" } ?? "")
    }

    private func bar(_ request: NetworkRequest, _ width: Int, _ isUnicode: Bool) -> String {
        func column(_ time: HostTime) -> Int {
            let share = 1 - (now - time).seconds / Self.span.seconds
            return Int((min(1, max(0, share)) * Double(width)).rounded())
        }
        let begin = column(request.begin), end = min(width - 1, column(request.end ?? now))
        let first = request.firstByte.map(column) ?? (request.end == nil ? width : end + 1)
        return String(
            (0..<max(0, width)).map { place -> Character in
                guard place >= min(begin, width - 1), place <= max(end, min(begin, width - 1)) else { return " " }
                return place < first ? (isUnicode ? "░" : ".") : isUnicode ? "█" : "#"
            })
    }

    private func figures(_ request: NetworkRequest) -> String {
        if !request.trouble.isEmpty { return request.trouble }
        let wait =
            request.firstByte.map { Figures.decimal(($0 - request.begin).milliseconds, places: 0) + " ms" } ?? translated("asked")
        let status = request.status.map { $0 >= 400 ? translated("status \($0)") : "" } ?? ""
        let end = request.isDropped ? translated("left") : request.end == nil ? translated("comes") : ""
        return [wait, Figures.bytes(request.bytes), status, end].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
