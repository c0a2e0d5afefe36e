// uchardet as Swift sees it: the guess at the character set of a text.
#ifndef AETHER_CUCHARDET_H
#define AETHER_CUCHARDET_H

#include <uchardet/uchardet.h>

#endif
