// What a captured decoder would try, and how a broken one ends.
#ifndef AETHER_BOX_TRIAL_H
#define AETHER_BOX_TRIAL_H

enum trial {
    TRIAL_NOTHING, TRIAL_OPEN, TRIAL_OPEN_FONTS, TRIAL_WRITE_FILE, TRIAL_SOCKET, TRIAL_CONNECT, TRIAL_EXEC, TRIAL_FORK, TRIAL_KILL_PARENT,
    TRIAL_PTRACE, TRIAL_EXECUTABLE_MEMORY, TRIAL_THREAD, TRIAL_RAISE_LIMIT, TRIAL_LOOK_AT_DESCRIPTORS, TRIAL_GAIN_RIGHTS, TRIAL_CRASH, TRIAL_HANG,
    TRIAL_MEMORY, TRIAL_END,
};

/// Does it; 0 where it worked, else errno. Some do not return.
int box_trial(int number);

#endif
