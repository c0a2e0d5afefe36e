/// The bytes of a source that lie in the tray and that nobody has read yet, and how many to ask for next: with each piece that came whole twice as
/// many, for a question costs two changes of the process, and one that jumps about reads each piece for a few bytes.
struct ReadAhead {
    /// Where they lie.
    var left: Range<Int> = 0..<0
    /// The most bytes beyond what is wanted at once; 0 where a read may take a while: a server sends what it has.
    private let most: Int
    private var stride = 0

    /// Nothing yet.
    init(most: Int) { self.most = most }

    /// How many bytes to ask for where so many are wanted now.
    func wish(for count: Int) -> Int { max(count, min(stride, most)) }

    /// So many came, of those that were asked for.
    mutating func take(_ count: Int, of wanted: Int) {
        left = 0..<count
        stride = count < wanted ? 0 : 2 * wanted
    }

    /// Reading goes on elsewhere.
    mutating func leave() { (left, stride) = (0..<0, 0) }
}
