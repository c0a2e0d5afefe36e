import AetherCore

/// The state of reading one file, under a monitor: the thread of the reader and the thread `net` share it.
final class HTTPInflow: TransferSink, Sleeper {
    let reading: Monitor<HTTPReading>
    let time: any TimeSource
    let meter: NetworkMeter

    init(_ reading: sending HTTPReading, time: any TimeSource, meter: NetworkMeter) {
        // A piece of 16 KB wakes no reader: at 1 GB/s the reader would be woken 60 000 times a second.
        self.reading = Monitor(reading) { reading in
            defer { reading.isFilling = false }
            return reading.isFilling ? [] : .all
        }
        (self.time, self.meter) = (time, meter)
    }

    func reached(_ step: ConnectionStep, of transfer: Int) { meter.reached(step) }

    func take(_ head: HTTPHead, from peer: TransferPeer, of transfer: Int) {
        let now = time.now()
        let span = reading.update { $0.take(head, isPrivate: peer.isPrivate, of: transfer, now: now) }
        meter.answered(transfer, status: head.status, connections: peer.connections, after: span, now: now)
    }

    func take(_ bytes: UnsafeRawBufferPointer, of transfer: Int) -> TransferReceipt {
        let receipt = reading.update { [time] reading in
            let receipt = reading.take(bytes, of: transfer, now: time.now())
            reading.isFilling = receipt == .taken
            return receipt
        }
        switch receipt {
        case .taken: meter.received(bytes.count)
        case .later:
            settled(transfer)
            meter.paused(transfer)
        case .stop: break
        }
        return receipt
    }

    func wake() { reading.update { $0.wake() } }

    func settled(_ transfer: Int) {
        let now = time.now()
        guard let arrival = reading.update({ $0.settle(transfer, now: now) }) else { return }
        meter.arrived(arrival, of: transfer, now: now)
    }

    func end(_ end: TransferEnd, of transfer: Int) {
        settled(transfer)
        meter.ended(transfer, end, now: time.now())
        reading.update { $0.take(end, of: transfer) }
    }
}
