// HarfBuzz as Swift sees it: its tables of Unicode.
#ifndef AETHER_CHARFBUZZ_H
#define AETHER_CHARFBUZZ_H

#include <harfbuzz/hb.h>

#endif
