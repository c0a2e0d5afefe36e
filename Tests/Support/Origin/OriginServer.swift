import AetherCore
import CLinux
import Foundation
import Glibc

/// The threads of a `TestOrigin`: one that takes connections, one for each of them.
struct OriginServer: Sendable {
    let files: [String: TestOrigin.Content]
    let state: Monitor<TestOrigin.State>
    let stopping, released: WakeHandle
    /// The status of what is not there.
    let missing: Int

    /// Takes connections until the origin ends.
    func acceptAll(_ listener: Int32) {
        while waits(listener, POLLIN) {
            let socket = clinux_accept(listener)
            guard socket >= 0 else {
                // Nobody listens: `TestOrigin.leave`.
                if errno == EINVAL, !rests(milliseconds: 5) { return }
                continue
            }
            guard !state.read({ $0.hangsUp }) else {
                close(socket)
                continue
            }
            var on: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            let number = state.update { state in
                state.connections += 1
                state.open += 1
                state.mostOpen = max(state.mostOpen, state.open)
                state.sockets.insert(socket)
                return state.connections
            }
            let thread = WorkerThread(name: "test-origin") {
                OriginConnection(server: self, socket: socket, number: number).serve()
                state.update {
                    $0.sockets.remove(socket)
                    close(socket)
                    $0.open -= 1
                }
            }
            state.update { $0.threads.append(thread) }
        }
    }

    /// Waits until the socket is ready; false: the origin ends.
    func waits(_ socket: Int32, _ event: Int32, milliseconds: Int32 = -1) -> Bool {
        var polled = [
            pollfd(fd: socket, events: Int16(event), revents: 0),
            pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, milliseconds) < 0, errno == EINTR {}
        return polled[1].revents == 0
    }

    /// Lets time pass, for measurements; false: the origin ends.
    func rests(milliseconds: Int) -> Bool { waits(-1, 0, milliseconds: Int32(milliseconds)) }
}

/// One connection and its requests, one after the other.
struct OriginConnection {
    let server: OriginServer
    let socket: Int32
    let number: Int

    func serve() {
        while let (method, target, fields) = readHead() {
            let body = readBody(Int(fields["content-length"] ?? "") ?? 0)
            let fault = OriginFault(target)
            let (index, count) = server.state.update { state in
                let count = (state.counts[target] ?? 0) + 1
                state.counts[target] = count
                state.requests.append(
                    TestOrigin.Request(method: method, target: target, fields: fields, body: body, connection: number))
                return (state.requests.count - 1, count)
            }
            if method == "PROPFIND", fault.isDAV {
                guard list(fault.path, as: String(target.prefix { $0 != "?" }), index) else { return }
                continue
            }
            guard answer(fault, target, fields, isHead: method == "HEAD", index: index, count: count), !fault.closes else {
                return
            }
        }
    }

    // MARK: - Requests

    private func readBody(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < min(count, 64 << 10) {
            var byte: UInt8 = 0
            guard server.waits(socket, POLLIN), recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { break }
            bytes.append(byte)
        }
        return bytes
    }

    private func readHead() -> (method: String, target: String, fields: [String: String])? {
        var bytes: [UInt8] = []
        while bytes.suffix(4) != [13, 10, 13, 10] {
            guard bytes.count < 64 << 10, server.waits(socket, POLLIN) else { return nil }
            var byte: UInt8 = 0
            guard recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) == 1 else { return nil }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return (String(words[0]), String(words[1]), fields)
    }

    // MARK: - Answers

    /// The list of a WebDAV folder: the files right in it.
    private func list(_ path: String, as asked: String, _ index: Int) -> Bool {
        let folder = path.hasSuffix("/") ? path : path + "/", own = asked.hasSuffix("/") ? asked : asked + "/"
        let below = server.files.keys.filter { $0.hasPrefix(folder) && $0.count > folder.count }
        let names = below.map { $0.dropFirst(folder.count) }
        guard !names.isEmpty else {
            note(index) { $0.status = server.missing }
            return send(Array("HTTP/1.1 \(server.missing) No\r\nContent-Length: 0\r\n\r\n".utf8)) == nil
        }
        func response(_ path: String, _ properties: String) -> String {
            let status = "<D:status>HTTP/1.1 200 OK</D:status>"
            return
                "<D:response><D:href>\(path)</D:href><D:propstat><D:prop>\(properties)</D:prop>\(status)</D:propstat></D:response>"
        }
        var parts = [response(own, "<D:resourcetype><D:collection/></D:resourcetype>")]
        for name in Set(names.map { $0.prefix { $0 != "/" } }).sorted() {
            let size = server.files[folder + name]?.size
            let kind = size == nil ? "<D:collection/>" : ""
            let length = size.map { "<D:getcontentlength>\($0)</D:getcontentlength>" } ?? ""
            parts.append(response(own + name, "<D:resourcetype>\(kind)</D:resourcetype>\(length)"))
        }
        let text = "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\">\(parts.joined())</D:multistatus>"
        note(index) { $0.status = 207 }
        return send(Array("HTTP/1.1 207 Multi\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)) == nil
    }

    /// Returns whether the connection is good for another request.
    private func answer(
        _ fault: OriginFault, _ target: String, _ fields: [String: String], isHead: Bool, index: Int, count: Int
    ) -> Bool {
        if let delay = fault.delay, !server.rests(milliseconds: delay) { return false }
        if fault.isLate, !isReleased() { return false }
        func finish(_ status: Int, _ lines: [String], _ text: String = "") -> Bool {
            note(index) { $0.status = status }
            let all = lines + ["Content-Length: \(text.utf8.count)"]
            return send(Array("HTTP/1.1 \(status) Said\r\n\(all.joined(separator: "\r\n"))\r\n\r\n\(text)".utf8)) == nil
        }
        if fault.hasEndlessHead { return sendEndlessHead() }
        if let failure = fault.failure, count <= failure.count {
            let lines = (fault.retryAfter.map { ["Retry-After: \($0)"] } ?? []) + (fault.date.map { ["Date: \($0)"] } ?? [])
            return finish(failure.status, lines, "trouble")
        }
        if fault.lease != nil, count > 1 { return finish(403, [], "expired") }
        if fault.wantsAuthorization, fields["authorization"] == nil {
            return finish(401, ["WWW-Authenticate: Basic realm=\"films\""])
        }
        if fault.wantsDigest, fields["authorization"]?.hasPrefix("Digest ") != true {
            return finish(401, ["WWW-Authenticate: Digest realm=\"films\", nonce=\"0123\", qop=\"auth\""])
        }
        if let cookie = fault.cookie, fields["cookie"]?.contains(cookie) != true {
            return finish(302, ["Location: \(target)", "Set-Cookie: \(cookie)=1; Path=/"], "elsewhere")
        }
        if let target = fault.redirectTarget, fault.redirects == 0 {
            return finish(302, ["Location: \(target.replacingOccurrences(of: "*", with: String(count)))"], "elsewhere")
        }
        if fault.redirects > 0 { return finish(302, ["Location: \(fault.afterRedirect)"], "elsewhere") }
        if fault.isPage || count <= fault.pageCount {
            return finish(200, ["Content-Type: text/html"], "<!DOCTYPE html>\n<html><body>Please log in.</body></html>\n")
        }
        if count <= fault.emptyCount { return finish(200, []) }
        var content = server.files[fault.path]
        if case .made(let make) = content { content = make(target).map { .bytes($0) } }
        guard let content else { return finish(server.missing, ["Content-Type: text/html"], "<html>404</html>") }
        return deliver(content, fault, fields, isHead: isHead, index: index, count: count)
    }

    private func deliver(
        _ content: TestOrigin.Content, _ fault: OriginFault, _ fields: [String: String], isHead: Bool, index: Int, count: Int
    ) -> Bool {
        let lies = count <= fault.lieCount
        let isChanged = fault.changesAt.map { count >= $0 } ?? false
        let size = isChanged ? fault.changedSize ?? content.size : content.size
        let mark = isChanged ? fault.keepsChanging ? "\"another\(count)\"" : "\"another\"" : fault.tag.map { "\"\($0)\"" }
        let tag = mark.map { fault.isTagWeak ? "W/" + $0 : $0 }
        let bounds = fields["range"].map { $0.dropFirst("bytes=".count).split(separator: "-").map { Int($0) } } ?? []
        let asked = bounds.first.flatMap { $0 }
        let isStill = fields["if-range"].map { $0 == tag ?? fault.change && !fault.ignoresVersions } ?? true
        let knowsRanges = fault.knowsRanges && count <= fault.partCount
        var lines = tag.map { ["ETag: \($0)"] } ?? []
        if let change = fault.change { lines.append("Last-Modified: \(change)") }
        if let date = fault.date { lines.append("Date: \(date)") }
        if fault.forbidsKeeping { lines += ["Cache-Control: no-store", "Cache-Control: max-age=0"] }
        if let known = fields["if-none-match"] ?? fields["if-modified-since"], known == tag ?? fault.change {
            note(index) { $0.status = 304 }
            return send(Array("HTTP/1.1 304 Same\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8)) == nil
        }
        var start = 0, end = size, status = 200
        if let asked, knowsRanges, isStill, !(fault.isWholeFirst && asked == 0) {
            guard asked < size else {
                note(index) { $0.status = 416 }
                return send(Array("HTTP/1.1 416 No\r\nContent-Range: bytes */\(size)\r\nContent-Length: 0\r\n\r\n".utf8)) == nil
            }
            (start, status) = (asked, 206)
            if bounds.count > 1, let last = bounds[1] { end = min(size, last + 1) }
            lines.append(
                "Content-Range: bytes \(start + (lies ? fault.rangeLie : 0))-\(end - 1)/\(size + (lies ? fault.totalLie : 0))")
        } else if knowsRanges {
            lines.append("Accept-Ranges: bytes")
        }
        if fault.saysGzip, lies { lines.append("Content-Encoding: gzip") }
        if fault.isChunked {
            lines.append("Transfer-Encoding: chunked")
        } else if !fault.isUnbounded {
            lines.append("Content-Length: \(end - start + (lies ? fault.lengthLie : 0))")
        }
        if fault.closes { lines.append("Connection: close") }
        note(index) { $0.status = status }
        let head = Array("HTTP/1.1 \(status) Said\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8)
        let first = fault.headStall.map { min($0, head.count) } ?? head.count
        guard send(Array(head[..<first])) == nil, first == head.count || isReleased(), send(Array(head[first...])) == nil else {
            return false
        }
        if isHead { return true }
        let isWhole = sendBody(content, start..<end, fault, index: index, count: count)
        // A length that was not kept ends the connection, too.
        guard isWhole, fault.lengthLie == 0 || !lies else { return false }
        guard !fault.isChunked || send(Array("0\r\n\r\n".utf8)) == nil else { return false }
        return send([UInt8](repeating: 0x5A, count: fault.garbage)) == nil
    }

    /// Returns whether all was sent.
    private func sendBody(
        _ content: TestOrigin.Content, _ range: Range<Int>, _ fault: OriginFault, index: Int, count: Int
    ) -> Bool {
        var sent = 0, isCut = false
        let drop = count <= fault.dropCount ? fault.drop : nil
        let stall = count <= fault.stallCount ? fault.stall : nil
        let isFlipped = fault.flips && fault.changesAt.map { count >= $0 } ?? false
        content.forEachPiece(range) { piece in
            var piece = (isFlipped ? piece.map { ~$0 } : piece)[...]
            if let drop, sent + piece.count >= drop {
                piece = piece.prefix(drop - sent)
                isCut = true
            }
            if let stall, sent < stall, sent + piece.count >= stall {
                let first = piece.prefix(stall - sent)
                guard pass(first, fault, index) else {
                    isCut = true
                    return false
                }
                sent += first.count
                piece = piece.dropFirst(first.count)
                guard isReleased() else {
                    isCut = true
                    return false
                }
            }
            guard pass(piece, fault, index) else {
                isCut = true
                return false
            }
            sent += piece.count
            if let rate = fault.rate, !server.rests(milliseconds: max(1, piece.count * 1000 / rate)) { isCut = true }
            return !isCut
        }
        return !isCut
    }

    private func pass(_ piece: ArraySlice<UInt8>, _ fault: OriginFault, _ index: Int) -> Bool {
        guard !piece.isEmpty else { return true }
        let head = fault.isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) : []
        // Who has read it all may ask at once what was sent.
        note(index) { $0.sent += piece.count }
        return send(head + piece + (fault.isChunked ? [13, 10] : [])) == nil
    }

    private func sendEndlessHead() -> Bool {
        guard send(Array("HTTP/1.1 200 OK\r\n".utf8)) == nil else { return false }
        let line = Array("X-Filling: \(String(repeating: "x", count: 1000))\r\n".utf8)
        while send(line) == nil {}
        return false
    }

    /// Waits until the origin is released; false: it ends, or nobody listens any more.
    private func isReleased() -> Bool {
        var polled = [
            pollfd(fd: server.released.descriptor, events: Int16(POLLIN), revents: 0),
            // Nobody sends another request before its answer: what comes is the end.
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server.stopping.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 3, -1) < 0, errno == EINTR {}
        return polled[0].revents != 0
    }

    private func note(_ index: Int, _ change: (inout TestOrigin.Request) -> Void) {
        server.state.update { change(&$0.requests[index]) }
    }

    /// Returns the system's number where it failed.
    private func send(_ bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard server.waits(socket, POLLOUT) else { return ECANCELED }
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
