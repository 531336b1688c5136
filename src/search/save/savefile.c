#define _GNU_SOURCE // sync_file_range, where there is one
#include "search/save/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

// The disk begins to write while the rest is made, so that less is left for fsync to wait for.
enum { WRITTEN_AT_A_TIME = 1 << 22 };
#if defined SYNC_FILE_RANGE_WRITE && !defined __EMSCRIPTEN__ // which only declares it
static void begin_writing(FILE *file, long end) {
  fflush(file);
  sync_file_range(fileno(file), end - WRITTEN_AT_A_TIME, WRITTEN_AT_A_TIME,
                  SYNC_FILE_RANGE_WRITE);
}
#else
static void begin_writing(FILE *file, long end) { (void)file, (void)end; }
#endif

bool savefile_create(SaveFile *save, const char *path) {
  save->hash = 0;
  save->used = 0;
  save->size = 0;
  save->file = fopen(path, "wb");
  return save->file;
}

static void put_block(SaveFile *save) {
  fwrite(save->block, 1, save->used, save->file);
  save->hash = XXH3_64bits_withSeed(save->block, save->used, save->hash);
  save->size += (long)save->used;
  save->used = 0;
  if (save->size % WRITTEN_AT_A_TIME == 0)
    begin_writing(save->file, save->size);
}

void savefile_put(SaveFile *save, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size) {
    const size_t room = SAVEFILE_BLOCK - save->used, part = size < room ? size : room;
    memcpy(save->block + save->used, from, part);
    save->used += part;
    from += part;
    size -= part;
    if (save->used == SAVEFILE_BLOCK)
      put_block(save);
  }
}

void savefile_put_number(SaveFile *save, uint64_t number) {
  savefile_put(save, &number, sizeof number);
}

int savefile_finish(SaveFile *save) {
  errno = 0;
  if (save->used)
    put_block(save);
  fwrite(&save->hash, 1, sizeof save->hash, save->file);
  const bool is_written =
      !ferror(save->file) && !fflush(save->file) && !fsync(fileno(save->file));
  const int error = is_written ? 0 : errno ? errno : EIO;
  const bool is_closed = !fclose(save->file);
  save->file = NULL;
  return error ? error : is_closed ? 0 : errno ? errno : EIO;
}

// All bytes but the last 8 have the checksum that these are.
static bool is_whole(SaveFile *save) {
  uint64_t expected, hash = 0;
  long left = fseek(save->file, 0, SEEK_END) ? -1 : ftell(save->file) - (long)sizeof expected;
  rewind(save->file);
  while (left > 0) {
    const size_t size = left < SAVEFILE_BLOCK ? (size_t)left : SAVEFILE_BLOCK;
    if (!savefile_get(save, save->block, size))
      break;
    hash = XXH3_64bits_withSeed(save->block, size, hash);
    left -= (long)size;
  }
  const bool ok = !left && savefile_get(save, &expected, sizeof expected) && expected == hash;
  rewind(save->file);
  return ok;
}

const char *savefile_open(SaveFile *save, const char *path) {
  save->file = fopen(path, "rb");
  if (!save->file)
    return strerror(errno);
  if (is_whole(save))
    return NULL;
  savefile_close(save);
  return "it is damaged: the checksum is not that of its contents";
}

bool savefile_get(SaveFile *save, void *bytes, size_t size) {
  return fread(bytes, 1, size, save->file) == size;
}

bool savefile_get_number(SaveFile *save, uint64_t *number) {
  return savefile_get(save, number, sizeof *number);
}

long savefile_tell(const SaveFile *save) { return ftell(save->file); }

bool savefile_seek(SaveFile *save, long place) { return !fseek(save->file, place, SEEK_SET); }

void savefile_close(SaveFile *save) {
  if (save->file)
    fclose(save->file);
  save->file = NULL;
}
