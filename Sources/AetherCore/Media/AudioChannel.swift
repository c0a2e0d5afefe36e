/// A loudspeaker position, by its usual short name.
public enum AudioChannel: String, Hashable, Sendable, CaseIterable {
    case frontLeft = "FL", frontRight = "FR", frontCenter = "FC", lowFrequency = "LFE"
    case backLeft = "BL", backRight = "BR", frontLeftOfCenter = "FLC", frontRightOfCenter = "FRC", backCenter = "BC"
    case sideLeft = "SL", sideRight = "SR"
    case topCenter = "TC", topFrontLeft = "TFL", topFrontCenter = "TFC", topFrontRight = "TFR"
    case topBackLeft = "TBL", topBackCenter = "TBC", topBackRight = "TBR"
    /// Not said, or without a name here.
    case unknown = "?"

    /// The usual channels of a count: mono, stereo, 2.1, quad, 5.0, 5.1, 6.1, 7.1; more or others are unknown.
    public static func usual(_ count: Int) -> [AudioChannel] {
        switch count {
        case 1: [.frontCenter]
        case 2: [.frontLeft, .frontRight]
        case 3: [.frontLeft, .frontRight, .lowFrequency]
        case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
        case 5: [.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight]
        case 6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]
        case 7: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter, .sideLeft, .sideRight]
        case 8: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight]
        default: [AudioChannel](repeating: .unknown, count: max(0, count))
        }
    }
}
