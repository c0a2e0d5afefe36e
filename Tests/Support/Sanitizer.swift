import Glibc

/// The sanitizer that the tests were built with, as scripts/sanitize.sh says.
public enum Sanitizer {
    /// Tests of a heap's layout and of the cost of code have nothing to say then: a sanitizer has a heap of its own, and code is several times slower.
    public static let isOn = getenv("AETHER_SANITIZE") != nil
}
