import ArgumentParser

/// Width and height on the command line: 160x90.
struct Extent: ExpressibleByArgument {
    let width, height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1] else { return nil }
        self.init(width: width, height: height)
    }

    var defaultValueDescription: String { "\(width)x\(height)" }

    func isWithin(width limit: Int, height other: Int) -> Bool { (1...limit).contains(width) && (1...other).contains(height) }
}
