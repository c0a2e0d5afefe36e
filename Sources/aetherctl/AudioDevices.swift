import AetherCore
import AetherMedia
import AetherOptions
import ArgumentParser

/// Lists the devices that audio can be sent to.
struct AudioDevices: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("List the audio devices that --audio-device takes."),
            discussion: translated(
                """
                Names and descriptions are those of ALSA's configuration; nothing is opened, so a name in the list may still refuse. Exit status: \
                2 ALSA's configuration cannot be read.
                """))
    }

    @Flag(help: .translated("Print JSON."))
    var json = false

    mutating func run() throws {
        do throws(MediaError) {
            let devices = try AudioDeviceHint.all()
            if json {
                let list = devices.map { device in
                    JSON.object([
                        ("name", .string(device.name)), ("description", .array(device.description.map { .string($0) })),
                    ])
                }
                printSafely(JSON.object([("devices", .array(list))]).report)
            } else {
                for device in devices {
                    printSafely(([device.name] + device.description.map { "    " + $0 }).joined(separator: "\n"))
                }
            }
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
    }
}
