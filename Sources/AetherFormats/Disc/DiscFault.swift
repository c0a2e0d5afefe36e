import AetherCore

/// The reason why a disc is not played.
public enum DiscFault: Error, Sendable, Equatable {
    /// A table of the disc contradicts itself or ends too early; its name.
    case damaged(String)
    /// A file that the tables name is not there; its name.
    case missing(String)
    /// The video is scrambled.
    case encrypted
    /// The commands of its menus lead in a circle.
    case endless
    /// It has no menus, or none that is led to.
    case noMenu
    /// Its menus lead to a program in Java.
    case java
    /// There is no title of that number; the number of titles.
    case noTitle(of: Int)

    /// One clause for people.
    public var reason: String {
        switch self {
        case .damaged(let table): translated("this disc is damaged: its \(table) cannot be understood")
        case .missing(let file): translated("this disc is incomplete: \(file) is missing")
        case .encrypted: translated("this disc is encrypted, and aether-tui plays only discs that are not")
        case .endless: translated("the menus of this disc lead in a circle")
        case .noMenu: translated("this disc has no menus")
        case .java: translated("the menus of this disc lead to a program in Java (BD-J): not played")
        case .noTitle(of: let count):
            count == 1 ? translated("this disc has one title") : translated("this disc has titles 1 to \(count)")
        }
    }
}

extension DiscFault {
    /// The value that is read, or nil where it is damaged: for tables that are done without.
    static func valueOrNil<Value>(_ body: () throws(DiscFault) -> Value) -> Value? {
        do throws(DiscFault) {
            return try body()
        } catch {
            return nil
        }
    }
}
