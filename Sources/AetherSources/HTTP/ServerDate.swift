/// The server's clock in an answer.
public struct ServerDate: Sendable, Equatable {
    /// The field "Date".
    public let text: String
    /// Seconds for which a cache on the way has held the answer ("Age"): so much later it is by now.
    public let age: Int64

    /// nil for an answer without a date.
    init?(_ head: HTTPHead) {
        guard let text = head.fields["date"] else { return nil }
        self.text = text
        age = head.fields["age"].flatMap { Int64($0) }.map { max(0, min($0, 1 << 31)) } ?? 0
    }
}
