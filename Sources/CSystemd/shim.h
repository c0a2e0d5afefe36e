// sd-bus as Swift sees it. Its variadic calls are not used: messages are built and read value by value.
#ifndef AETHER_CSYSTEMD_H
#define AETHER_CSYSTEMD_H

#include <systemd/sd-bus.h>

#endif
