import AetherSources
import Glibc

// Its standard input is a socket to the player, and its standard output the memory for the bytes of a file. libsmbclient's complaints go to
// standard output, which is none of the player's business.
let memory = ShareMemory(STDOUT_FILENO)
dup2(STDERR_FILENO, STDOUT_FILENO)
ShareService(socket: STDIN_FILENO, memory: memory).run()
