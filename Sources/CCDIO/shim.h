#pragma once

#include <cdio/cdio.h>
#include <cdio/cdtext.h>
#include <cdio/logging.h>
#include <stdint.h>

/// An open disc; NULL where the source is none.
static inline CdIo_t *ccdio_open(const char *source) { return cdio_open(source, DRIVER_UNKNOWN); }

/// Silences libcdio's messages. Above all its own handler, which ends the process at an error, is gone.
static inline void ccdio_mute(cdio_log_level_t level, const char *message) {
    (void)level;
    (void)message;
}
static inline void ccdio_silence(void) { cdio_log_set_handler(ccdio_mute); }

/// The first sector of a track, or that of the lead-out for 0; below 0: none.
static inline int32_t ccdio_start(const CdIo_t *disc, unsigned track) {
    return cdio_get_track_lsn(disc, track == 0 ? CDIO_CDROM_LEADOUT_TRACK : (track_t)track);
}

/// Whether a track is one of samples. `_Bool`, for libcdio defines a bool of its own.
static inline _Bool ccdio_is_audio(const CdIo_t *disc, unsigned track) {
    return cdio_get_track_format(disc, (track_t)track) == TRACK_FORMAT_AUDIO;
}

/// Samples of whole sectors, 2352 bytes each.
static inline _Bool ccdio_read_audio(const CdIo_t *disc, void *room, int32_t sector, uint32_t count) {
    return cdio_read_audio_sectors(disc, room, sector, count) == DRIVER_OP_SUCCESS;
}

/// Sectors of mode 2 without sync and header, 2336 bytes each.
static inline _Bool ccdio_read_mode2(const CdIo_t *disc, void *room, int32_t sector, uint32_t count) {
    return cdio_read_mode2_sectors(disc, room, sector, 1, count) == DRIVER_OP_SUCCESS;
}

/// The first sector of the last session; below 0: not known.
static inline int32_t ccdio_last_session(CdIo_t *disc) {
    lsn_t sector = -1;
    return cdio_get_last_session(disc, &sector) == DRIVER_OP_SUCCESS ? sector : -1;
}

/// Whether the disc may be another one than at the last question.
static inline _Bool ccdio_may_have_changed(CdIo_t *disc) { return cdio_get_media_changed(disc) != 0; }

/// A text of a track, or of the disc for 0; NULL for none.
static inline const char *ccdio_title(const cdtext_t *texts, unsigned track) {
    return cdtext_get_const(texts, CDTEXT_FIELD_TITLE, (track_t)track);
}
static inline const char *ccdio_performer(const cdtext_t *texts, unsigned track) {
    return cdtext_get_const(texts, CDTEXT_FIELD_PERFORMER, (track_t)track);
}
