import AetherSources
import Glibc

// Its standard input is a socket to the player. libsmbclient's complaints go to standard output, which is none of the player's business.
dup2(STDERR_FILENO, STDOUT_FILENO)
ShareService(socket: STDIN_FILENO).run()
