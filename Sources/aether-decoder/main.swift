import AetherBox
import Glibc

exit(DecoderService.run())
