import AetherCore
import AetherTestSupport
import Synchronization
import Testing

@testable import AetherSources

@Suite("Share waits", .serialized, .enabled(if: ShareProgram.find() != nil, "aether-share is not built"))
struct ShareWaitTests {
    private func reader(_ server: SilentServer, _ time: any TimeSource = SystemTime()) throws -> ShareReader {
        let address = try #require(ShareAddress("smb://127.0.0.1:\(server.port)/share/a.mkv"))
        return ShareReader(address, program: try #require(ShareProgram.find()), time: time)
    }

    @Test("A server that says nothing is waited for until cancel or close of another thread", arguments: [true, false])
    func ends(_ isClosing: Bool) throws {
        let server = try SilentServer(), reader = try reader(server)
        let errors = Monitor<[IOReaderError]>([])
        let reading = WorkerThread(name: "test-read") {
            for _ in 0..<2 {
                do throws(IOReaderError) { _ = try reader.bytes(limit: 1) } catch { errors.update { $0.append(error) } }
            }
        }
        server.awaitClient()
        #expect(errors.read { $0.isEmpty })
        if isClosing { reader.close() } else { reader.cancel() }
        reading.join()
        let expected = isClosing ? IOReaderError.closed : .cancelled
        #expect(errors.read { $0 } == [expected, expected])
        if !isClosing {
            // It is of use after that: the silent server is asked once more.
            reader.resume()
            let again = WorkerThread(name: "test-read") {
                do throws(IOReaderError) { try reader.open() } catch { errors.update { $0.append(error) } }
            }
            server.awaitClient()
            reader.close()
            again.join()
            #expect(errors.read { $0.last } == .closed)
        }
    }

    @Test("While it waits no lock is held: the waiting thread itself can cancel and close", arguments: [true, false])
    func holdsNoLock(_ isClosing: Bool) throws {
        let server = try SilentServer(), time = HookedTime(), reader = try reader(server, time)
        // The first look is for the end of the wait, the second within it.
        time.hook.withLock {
            $0 = { [weak reader] look in
                if look == 2 { isClosing ? reader?.close() : reader?.cancel() }
            }
        }
        #expect(throws: isClosing ? IOReaderError.closed : .cancelled) { try reader.open() }
        #expect(time.looks.load(ordering: .relaxed) >= 2)
    }
}
