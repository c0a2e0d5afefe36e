import AetherCore
import Testing

@testable import AetherEngine

@Suite struct DeviceLeaseTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .seconds(seconds) }

    /// The moments at which the device begins and ends to sound, and the time at which it is given back.
    @Test(
        arguments: [
            ([(0.0, true)], nil), ([(0, true), (5, false)], 15), ([(0, false), (3, false)], 10),
            ([(0, false), (9, true)], nil), ([(0, false), (9, true), (20, false), (29, false)], 30),
        ] as [([(Double, Bool)], Double?)])
    func aQuietDeviceIsKeptForTenSeconds(_ notes: [(Double, Bool)], _ expiry: Double?) {
        var lease = DeviceLease()
        for (time, isHeard) in notes { lease.note(isHeard: isHeard, now: at(time)) }
        #expect(lease.expiry == expiry.map(at))
        #expect(lease.isOver(at: at(100)) == (expiry != nil))
        if let expiry { #expect(!lease.isOver(at: at(expiry - 0.001)) && lease.isOver(at: at(expiry))) }
    }
}
