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

// Windows and panels under names of our own: ncurses 6.5 hides what WINDOW and PANEL are and 6.4 does not, so that Swift would see
// two kinds of pointer. These are never defined, so it sees the same one with both.
typedef struct aether_window aether_window;
typedef struct aether_panel aether_panel;

static inline aether_window *_Nullable aether_window_new(int rows, int columns, int row, int column) {
    return (aether_window *)newwin(rows, columns, row, column);
}
static inline void aether_window_delete(aether_window *_Nonnull window) { delwin((WINDOW *)window); }
static inline void aether_window_set_background(aether_window *_Nonnull window, const cchar_t *_Nonnull cell) {
    wbkgrndset((WINDOW *)window, cell);
}
static inline void aether_window_erase(aether_window *_Nonnull window) { werase((WINDOW *)window); }
static inline int aether_window_put(
    aether_window *_Nonnull window, int row, int column, const cchar_t *_Nonnull cells, int count) {
    return mvwadd_wchnstr((WINDOW *)window, row, column, cells, count);
}
static inline int aether_window_read(aether_window *_Nonnull window, int row, int column, cchar_t *_Nonnull cells, int count) {
    return mvwin_wchnstr((WINDOW *)window, row, column, cells, count);
}

static inline aether_panel *_Nullable aether_panel_new(aether_window *_Nonnull window) {
    return (aether_panel *)new_panel((WINDOW *)window);
}
static inline void aether_panel_delete(aether_panel *_Nonnull panel) { del_panel((PANEL *)panel); }
static inline void aether_panel_show(aether_panel *_Nonnull panel) { show_panel((PANEL *)panel); }
static inline void aether_panel_hide(aether_panel *_Nonnull panel) { hide_panel((PANEL *)panel); }
static inline void aether_panel_raise(aether_panel *_Nonnull panel) { top_panel((PANEL *)panel); }

static inline attr_t aether_attribute_bold(void) { return A_BOLD; }
static inline attr_t aether_attribute_dim(void) { return A_DIM; }
static inline attr_t aether_attribute_italic(void) { return A_ITALIC; }
static inline attr_t aether_attribute_underline(void) { return A_UNDERLINE; }
static inline attr_t aether_attribute_reverse(void) { return A_REVERSE; }

#endif
