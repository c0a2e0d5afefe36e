public import AetherCore
public import ArgumentParser

extension ByteCount: ExpressibleByArgument {}
