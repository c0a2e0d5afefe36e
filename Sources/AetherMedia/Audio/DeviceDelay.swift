/// The frames that a device has not played, where its two answers differ. Pure.
///
/// Samples in the ring cannot have been heard, so the delay is never much less than that. ALSA's pulse plugin (1.2.7) counts the delay
/// down by the clock although the server takes nothing: a null sink of its own accord for its first 1.3 s, and for a second more it
/// says 0 while 180 ms wait. By the ring that audio was placed to 5 ms.
enum DeviceDelay {
    /// Frames not heard. `reported` is what the device says, `queued` what its ring of `ring` frames holds; servers ask for samples a period or
    /// a cycle of their own at a time and late, so that half a ring of difference means nothing.
    static func frames(reported: Int, queued: Int, ring: Int, period: Int) -> Int {
        let reported = max(0, reported)
        return reported < queued - max(2 * period, ring / 2) ? queued : reported
    }
}
