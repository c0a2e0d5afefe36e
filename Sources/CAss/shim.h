// libass as Swift sees it. Its messages are thrown away: they would go to standard error, where the screen is.
#ifndef AETHER_CASS_H
#define AETHER_CASS_H

#include <ass/ass.h>
#include <stdarg.h>

static inline void aether_ass_discard(int level, const char *format, va_list arguments, void *data) {
    (void)level; (void)format; (void)arguments; (void)data;
}
static inline void aether_ass_be_quiet(ASS_Library *library) { ass_set_message_cb(library, aether_ass_discard, NULL); }

#endif
