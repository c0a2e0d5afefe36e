// ncursesw and its panels as Swift sees them: wide cells, functions instead of macros.
// No pkgConfig: ncursesw.pc emits flags that SwiftPM prohibits.
#ifndef AETHER_CNCURSES_H
#define AETHER_CNCURSES_H

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include <curses.h>
#include <panel.h>
#include <stddef.h>
#include <stdint.h>

extern int wcwidth(wchar_t character);

/// Columns of one scalar in the current LC_CTYPE: 0 combining, 1, 2 wide, -1 not printable.
static inline int aether_wcwidth(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

/// Fills one cell. pair < 256. Returns OK or ERR.
static inline int aether_set_cell(cchar_t *_Nonnull cell, uint32_t scalar, attr_t attributes, short pair) {
    wchar_t text[2] = {(wchar_t)scalar, 0};
    return setcchar(cell, text, attributes, pair, NULL);
}

/// The base scalar of a cell.
static inline uint32_t aether_cell_scalar(const cchar_t *_Nonnull cell) { return (uint32_t)cell->chars[0]; }

/// The role (colour pair) of a cell.
static inline int aether_cell_pair(const cchar_t *_Nonnull cell) {
#if NCURSES_EXT_COLORS
    return cell->ext_color;
#else
    return (int)PAIR_NUMBER(cell->attr);
#endif
}

static inline attr_t aether_attribute_bold(void) { return A_BOLD; }
static inline attr_t aether_attribute_dim(void) { return A_DIM; }
static inline attr_t aether_attribute_italic(void) { return A_ITALIC; }
static inline attr_t aether_attribute_underline(void) { return A_UNDERLINE; }
static inline attr_t aether_attribute_reverse(void) { return A_REVERSE; }

#endif
