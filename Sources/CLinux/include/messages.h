// Translations by glibc's gettext: the one place that speaks it.
#ifndef CLINUX_MESSAGES_H
#define CLINUX_MESSAGES_H

/// Sets the locale of messages, and no other category but the encoding of text, which becomes UTF-8: numbers stay as they are. Our
/// catalogues are looked for in a folder from then on. Returns 1, or 0 where the machine has no such locale. Before any other thread exists.
int clinux_begin_messages(const char *_Nonnull locale, const char *_Nonnull folder);

/// Messages are English from then on. Before any other thread exists.
void clinux_end_messages(void);

/// The translation of a sentence of our catalogue, in UTF-8; the same address where there is none. It stays valid. Any thread.
const char *_Nonnull clinux_translation(const char *_Nonnull sentence);

/// The same for a sentence with a count: the form that it takes; one of the two addresses where there is none.
const char *_Nonnull clinux_plural_translation(const char *_Nonnull one, const char *_Nonnull other, unsigned long count);

#endif
