/// How a sample and others need one another.
public struct SampleDependency: Sendable, Equatable {
    /// It is predicted from others; false: it is an I frame. nil where the container does not say.
    public var isDependent: Bool?
    /// Others are predicted from it; nil where the container does not say.
    public var isReferenced: Bool?

    /// Nothing but what is given is known.
    public init(isDependent: Bool? = nil, isReferenced: Bool? = nil) {
        (self.isDependent, self.isReferenced) = (isDependent, isReferenced)
    }

    /// A byte of `sdtp`, whose last six bits are in `sample_flags` of fragments, too: two bits say whether it depends on others (1 yes,
    /// 2 no), two whether others depend on it.
    public init(byte: UInt8) {
        func answer(_ code: UInt8) -> Bool? { code & 3 == 1 ? true : code & 3 == 2 ? false : nil }
        self.init(isDependent: answer(byte >> 4), isReferenced: answer(byte >> 2))
    }

    /// With what another says where this one says nothing.
    public func or(_ other: SampleDependency) -> SampleDependency {
        SampleDependency(isDependent: isDependent ?? other.isDependent, isReferenced: isReferenced ?? other.isReferenced)
    }

    /// In words: `independent, referenced`; empty where nothing is known.
    public var text: String {
        [isDependent.map { $0 ? "dependent" : "independent" }, isReferenced.map { $0 ? "referenced" : "unreferenced" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
