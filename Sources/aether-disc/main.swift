import AetherSources
import CCDIO
import Glibc

// Its standard input is a socket to the player. What libraries write to standard output is none of the player's business.
dup2(STDERR_FILENO, STDOUT_FILENO)
ccdio_silence()
var service = DriveService(socket: STDIN_FILENO)
service.run { path throws(DriveRefusal) in try LibraryDrive(path) }
