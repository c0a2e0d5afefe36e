public import AetherCore

/// One line of a remote control, understood as far as its form goes.
public struct RemoteRequest: Sendable, Equatable {
    /// The kinds of request.
    public enum Verb: Sendable, Equatable {
        /// An action as in keys.toml: "seek -5".
        case action(String)
        /// A word and its values.
        case command(String, [JSON])
        /// A property by its name.
        case get(String)
        /// A property by its name, and its new value.
        case set(String, JSON)
        /// Tell it now and whenever it changes; or no more.
        case observe(String, Bool)
    }

    /// The request.
    public let verb: Verb
    /// The asker's name for the request, which the answer repeats. Null where it has no name.
    public let id: JSON

    /// The reason why a line is no request, with its name as far as it could be read.
    public struct Flaw: Error, Equatable {
        /// The request's name as far as it could be read; null else.
        public let id: JSON
        /// A sentence for the asker.
        public let reason: String
    }

    /// Reads a line without its end. Bounded by the line; never traps.
    public init(line: some Collection<UInt8>) throws(Flaw) {
        let value: JSON
        do throws(JSON.Flaw) {
            value = try JSON(line)
        } catch {
            throw Flaw(id: .null, reason: "no JSON: \(error)")
        }
        guard case .object(let members) = value else { throw Flaw(id: .null, reason: "a request is an object") }
        id = RemoteRequest.name(members["id"])
        let verbs = ["action", "command", "get", "set", "observe", "unobserve"].filter { members[$0] != nil }
        guard verbs.count == 1, let word = verbs.first, let content = members[word] else {
            throw Flaw(id: id, reason: "a request has one of action, command, get, set, observe, unobserve")
        }
        verb = try RemoteRequest.verb(word, content, members["value"], id)
    }

    /// A request made by its parts.
    public init(_ verb: Verb, id: JSON = .null) {
        self.verb = verb
        self.id = id
    }

    private static func verb(_ word: String, _ content: JSON, _ value: JSON?, _ id: JSON) throws(Flaw) -> Verb {
        if word == "command" {
            if let name = content.text { return .command(name, []) }
            guard case .array(let parts) = content, let name = parts.first?.text else {
                throw Flaw(id: id, reason: "command is an array that begins with a word")
            }
            return .command(name, Array(parts.dropFirst()))
        }
        guard let name = content.text else { throw Flaw(id: id, reason: "\(word) takes a text") }
        switch word {
        case "action": return .action(name)
        case "get": return .get(name)
        case "set":
            guard let value else { throw Flaw(id: id, reason: "set takes a value") }
            return .set(name, value)
        default: return .observe(name, word == "observe")
        }
    }

    /// Numbers and short texts are names; a whole document is not carried to and fro.
    private static func name(_ id: JSON?) -> JSON {
        switch id {
        case .number(let number)?: .number(number)
        case .string(let text)? where text.utf8.count <= 256: .string(text)
        default: .null
        }
    }

    /// The line that says this, without its end.
    public var line: String {
        var members: [String: JSON] = [:]
        switch verb {
        case .action(let text): members["action"] = .string(text)
        case .command(let word, let values): members["command"] = .array([.string(word)] + values)
        case .get(let name): members["get"] = .string(name)
        case .set(let name, let value): (members["set"], members["value"]) = (.string(name), value)
        case .observe(let name, let isOn): members[isOn ? "observe" : "unobserve"] = .string(name)
        }
        if id != .null { members["id"] = id }
        return JSON.object(JSON.Members(members)).line
    }
}

/// The answer to a request.
public enum RemoteAnswer: Sendable, Equatable {
    case done
    case value(JSON)
    case failure(String)

    /// The line that says this, without its end.
    public func line(id: JSON) -> String {
        var members: [String: JSON] = [:]
        switch self {
        case .done: members["ok"] = .bool(true)
        case .value(let value): (members["ok"], members["value"]) = (.bool(true), value)
        case .failure(let reason): (members["ok"], members["error"]) = (.bool(false), .string(reason))
        }
        if id != .null { members["id"] = id }
        return JSON.object(JSON.Members(members)).line
    }
}
