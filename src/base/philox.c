// Philox (SMDS11).
#include "base/philox.h"

void philox_cipher(uint32_t counter[4], uint32_t key_low, uint32_t key_high) {
  for (int round = 0; round < 10; round++) {
    const uint64_t a = (uint64_t)0xd2511f53u * counter[0];
    const uint64_t b = (uint64_t)0xcd9e8d57u * counter[2];
    counter[0] = (uint32_t)(b >> 32) ^ counter[1] ^ key_low;
    counter[1] = (uint32_t)b;
    counter[2] = (uint32_t)(a >> 32) ^ counter[3] ^ key_high;
    counter[3] = (uint32_t)a;
    key_low += 0x9e3779b9u;
    key_high += 0xbb67ae85u;
  }
}

void philox_fill(Philox *stream) {
  uint32_t counter[4] = {(uint32_t)stream->block, (uint32_t)(stream->block >> 32),
                         (uint32_t)stream->number, (uint32_t)(stream->number >> 32)};
  philox_cipher(counter, (uint32_t)stream->seed, (uint32_t)(stream->seed >> 32));
  stream->words[1] = (uint64_t)counter[1] << 32 | counter[0];
  stream->words[0] = (uint64_t)counter[3] << 32 | counter[2];
  stream->block++;
  stream->left = 2;
}
