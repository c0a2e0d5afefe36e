import AetherTerminal
import CLinux
import Glibc
import Testing

/// A pseudo-terminal pair: the master end plays the terminal.
final class Pty {
    let master: Int32
    let slave: Int32

    init(rows: UInt16 = 24, columns: UInt16 = 80, xPixels: UInt16 = 0, yPixels: UInt16 = 0) throws {
        var master: Int32 = -1, slave: Int32 = -1
        let size = clinux_winsize(rows: rows, columns: columns, x_pixels: xPixels, y_pixels: yPixels)
        try #require(clinux_openpty(&master, &slave, size) == 0)
        self.master = master
        self.slave = slave
        try #require(clinux_set_nonblocking(master, 1) == 0)
    }

    private var isOpen = true

    deinit {
        if isOpen { close(master) }
        close(slave)
    }

    /// The terminal's window is closed, and the line has heard it: a program that another test is starting has a copy of the master until it
    /// begins.
    func hangUp() {
        close(master)
        isOpen = false
        var line = pollfd(fd: slave, events: 0, revents: 0)
        #expect(poll(&line, 1, 60_000) == 1)
    }

    /// Somebody else has closed the window.
    func forget() { isOpen = false }

    /// Everything that has arrived at the terminal.
    func received() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    /// How many bytes lie at the terminal's end.
    func waiting() -> Int {
        var count: Int32 = 0
        #expect(ioctl(master, UInt(FIONREAD), &count) == 0)
        return Int(count)
    }

    func type(_ text: String) {
        let bytes = escaped(text)
        #expect(write(master, bytes, bytes.count) == bytes.count)
    }

    /// The termios of the line, as bytes.
    func modes() -> [UInt8] {
        var modes = termios()
        #expect(tcgetattr(slave, &modes) == 0)
        return withUnsafeBytes(of: &modes) { Array($0) }
    }
}
