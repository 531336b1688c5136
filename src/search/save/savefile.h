// Save files: bytes followed by a checksum, which is verified before anything in the file is
// used.
//
// Bytes are hashed in blocks of one size (the last may be shorter); the hash of each block is the
// seed of the next. The last 8 bytes of the file are the hash of the last block.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SAVEFILE_BLOCK = 1 << 15 };

typedef struct SaveFile {
  FILE *file;
  uint64_t hash;
  size_t used;
  long size; // bytes written
  char block[SAVEFILE_BLOCK];
} SaveFile;

// Errors of writing show in savefile_finish, which brings the file to the disk: errno, or 0.
// It is called if savefile_create was true, which else leaves errno.
bool savefile_create(SaveFile *, const char *path);
void savefile_put(SaveFile *, const void *bytes, size_t size);
void savefile_put_number(SaveFile *, uint64_t);
int savefile_finish(SaveFile *);

// Opens a file to read. NULL, or why it cannot be read: it does not exist, it is damaged.
const char *savefile_open(SaveFile *, const char *path);
bool savefile_get(SaveFile *, void *bytes, size_t size);
bool savefile_get_number(SaveFile *, uint64_t *);
long savefile_tell(const SaveFile *);
bool savefile_seek(SaveFile *, long place); // where savefile_tell said
void savefile_close(SaveFile *);            // also one that was not opened
