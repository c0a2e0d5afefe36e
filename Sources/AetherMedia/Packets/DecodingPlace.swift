/// A place apart in which streams are decoded: a `DecodingBox`. Here it is only carried along with what came out of it.
public protocol DecodingPlace: AnyObject, Sendable {}
