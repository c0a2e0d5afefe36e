import AetherBox
import CBoxTrial
import Glibc

// The worker of the tests: the same service in the same box, which does on wish what a captured decoder would try, and breaks as a broken one
// does. Answers the number of a wish's attack: 0 where it worked, else errno.
func serve() -> Int32 {
    var fault = BuiltInFault(program: CommandLine.arguments.first ?? "")
    return DecoderService.run(
        memory: 1 << 30, trial: { wish in [UInt8(truncatingIfNeeded: box_trial(Int32(wish.first ?? 0)))] },
        before: { wish in fault?.look(at: wish) })
}

exit(serve())
