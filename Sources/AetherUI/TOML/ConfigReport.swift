import AetherCore

/// The faults of a person's files: unknown names are left out and told, values that are wrong keep the player from starting.
public struct ConfigReport: Sendable, Equatable {
    /// Names that are not known, in the order of the files.
    public private(set) var warnings: [ConfigError] = []
    /// Values that are wrong, and files that cannot be read.
    public private(set) var errors: [ConfigError] = []

    /// A hundred lines: a file that is something else altogether has thousands.
    static let limit = 100

    /// Without faults.
    public init() {}

    /// The lines for a person: all warnings, then all errors.
    public var lines: [String] { warnings.map { translated("warning: \($0)") } + errors.map(\.description) }

    /// Something is left out. Its line is looked for in all of the file, so the fault is made only where there is room for it.
    mutating func warn(_ fault: @autoclosure () -> ConfigError) {
        guard warnings.count < Self.limit else { return }
        let fault = fault()
        warnings.insert(fault, at: Self.place(of: fault, among: warnings))
    }

    /// Something is wrong.
    mutating func refuse(_ fault: ConfigError) {
        guard errors.count < Self.limit else { return }
        errors.insert(fault, at: Self.place(of: fault, among: errors))
    }

    /// The result of a body; nil where the body throws, and then the error is reported.
    mutating func take<Value>(_ body: (inout ConfigReport) throws(ConfigError) -> Value?) -> Value? {
        do throws(ConfigError) {
            return try body(&self)
        } catch {
            refuse(error)
            return nil
        }
    }

    /// Within a file they stand in the order of their lines: tables have none of their own.
    private static func place(of fault: ConfigError, among faults: [ConfigError]) -> Int {
        let isBehind = { (other: ConfigError) in other.file == fault.file && (other.line ?? 0) > (fault.line ?? 0) }
        return faults.firstIndex(where: isBehind) ?? faults.count
    }
}
