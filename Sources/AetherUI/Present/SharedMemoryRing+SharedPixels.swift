public import AetherRender
public import AetherTerminal

/// Render decides when, Terminal does the system calls; they meet here.
extension SharedMemoryRing: SharedPixels {}
