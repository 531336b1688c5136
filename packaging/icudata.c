// No data for ICU, in place of its 30 MB: the wheel (tools/wheel) has this as libicudata.so.
//
// libxml2 is linked with ICU, but asks it only for encodings that neither itself nor iconv knows.
// Without data ICU says that it has no such encoding. NAME is the symbol that libicuuc.so looks for,
// icudt72_dat for ICU 72. The layout is that of every ICU data file: a header, then a table of
// contents, which is empty here.
#include <stdint.h>

extern const struct IcuData NAME;

const struct IcuData {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved;
  uint8_t is_big_endian, charset, char_size, unused;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, spare;
} NAME __attribute__((aligned(16))) = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .char_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
