#include <fmt/format.h>

#include <array>
#include <cstring>

#include "liaison/simulate/trajectory_file.hpp"

namespace liaison {

namespace {

std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xEDB88320U ^ (value >> 1) : value >> 1;
      entries[i] = value;
    }
    return entries;
  }();
  std::uint32_t value = 0xFFFFFFFFU;
  for (char c : bytes) value = table[(value ^ static_cast<std::uint8_t>(c)) & 0xFFU] ^ (value >> 8);
  return ~value;
}

template <class Integer>
void put(std::string& out, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    out += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFFU);
}

/// One array of doubles in NumPy's own format, version 1; the header is padded to a multiple of 64.
std::string npy(const RowTable& table, std::size_t column) {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", table.rows.size());
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, static_cast<std::uint16_t>(header.size()));
  out += header;
  for (const std::vector<double>& row : table.rows) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &row[column], sizeof bits);
    put(out, bits);
  }
  return out;
}

}  // namespace

std::string to_npz(const RowTable& table) {
  constexpr std::uint16_t version = 45, stored = 0, no_flags = 0;
  constexpr std::uint32_t first_day = 0x00210000;  // 1 January 1980: the same bytes for the same run
  std::string out, directory;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const std::string data = npy(table, column), name = table.columns[column] + ".npy";
    const std::uint32_t sum = crc32(data);
    const auto size = static_cast<std::uint32_t>(data.size()),
               offset = static_cast<std::uint32_t>(out.size());
    const auto describe = [&](std::string& to) {
      put(to, version);
      put(to, no_flags);
      put(to, stored);
      put(to, first_day);
      put(to, sum);
      put(to, size);
      put(to, size);
      put(to, static_cast<std::uint16_t>(name.size()));
      put(to, std::uint16_t{0});
    };
    put(out, std::uint32_t{0x04034B50});
    describe(out);
    out += name + data;
    put(directory, std::uint32_t{0x02014B50});
    put(directory, version);
    describe(directory);
    directory.append(10, '\0');  // no comment, first disk, no attributes
    put(directory, offset);
    directory += name;
  }
  const auto count = static_cast<std::uint16_t>(table.columns.size());
  const auto directory_offset = static_cast<std::uint32_t>(out.size());
  out += directory;
  put(out, std::uint32_t{0x06054B50});
  put(out, std::uint32_t{0});
  put(out, count);
  put(out, count);
  put(out, static_cast<std::uint32_t>(directory.size()));
  put(out, directory_offset);
  put(out, std::uint16_t{0});
  return out;
}

}  // namespace liaison
