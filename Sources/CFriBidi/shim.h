// FriBidi as Swift sees it: flags that are macros, as functions.
#ifndef AETHER_CFRIBIDI_H
#define AETHER_CFRIBIDI_H

#include <fribidi/fribidi.h>

static inline FriBidiFlags aether_bidi_shape_flags(void) { return FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAGS_ARABIC; }
static inline FriBidiFlags aether_bidi_reorder_flags(void) { return FRIBIDI_FLAGS_DEFAULT | FRIBIDI_FLAG_REORDER_NSM; }
static inline FriBidiParType aether_bidi_paragraph_by_content(void) { return FRIBIDI_PAR_ON; }
/// The sign that stands for the second half of a ligature.
static inline FriBidiChar aether_bidi_fill(void) { return FRIBIDI_CHAR_FILL; }

#endif
