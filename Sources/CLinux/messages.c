#include "messages.h"

#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

static const char *const domain = "aether-tui";

int clinux_begin_messages(const char *locale, const char *folder)
{
    if (setlocale(LC_MESSAGES, locale) == NULL) return 0;
    // The C library's own messages are written in the encoding of this category.
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    bindtextdomain(domain, folder);
    bind_textdomain_codeset(domain, "UTF-8");
    return 1;
}

void clinux_end_messages(void) { setlocale(LC_MESSAGES, "C"); }

const char *clinux_translation(const char *sentence) { return dgettext(domain, sentence); }

const char *clinux_plural_translation(const char *one, const char *other, unsigned long count)
{
    return dngettext(domain, one, other, count);
}
