#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "picture.hpp"

/// GIF89a: one palette for all frames, LZW codes as in the specification, appendix F.
namespace liaison::scene {

namespace {

void put16(std::string& out, std::size_t value) {
  out += static_cast<char>(value & 255);
  out += static_cast<char>((value >> 8) & 255);
}

/// Five bits a channel: what two pictures of flat areas differ by in less is not seen.
std::size_t cell_of(const std::uint8_t* rgb) {
  return (std::size_t{rgb[0]} >> 3) << 10 | (std::size_t{rgb[1]} >> 3) << 5 | std::size_t{rgb[2]} >> 3;
}

constexpr std::uint8_t unchanged = 255;  ///< a pixel that stays as it is in the picture before

/// The 255 cells that are used most, each with the mean of its colours, and for every cell the nearest of
/// them.
struct Palette {
  std::array<std::array<std::uint8_t, 3>, 256> colours{};
  std::vector<std::uint8_t> index = std::vector<std::uint8_t>(32768, 0);
};

Palette palette_of(const std::vector<Pixels>& frames) {
  struct Cell {
    std::size_t count = 0;
    std::array<std::size_t, 3> sum{};
  };
  std::vector<Cell> cells(32768);
  for (const Pixels& frame : frames) {
    for (std::size_t i = 0; i + 2 < frame.rgb.size(); i += 3) {
      Cell& cell = cells[cell_of(&frame.rgb[i])];
      ++cell.count;
      for (std::size_t k = 0; k < 3; ++k) cell.sum[k] += frame.rgb[i + k];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (cells[c].count > 0) order.push_back(c);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells[a].count != cells[b].count ? cells[a].count > cells[b].count : a < b;
  });
  Palette palette;
  const std::size_t used = std::min<std::size_t>(unchanged, order.size());
  for (std::size_t i = 0; i < used; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      palette.colours[i][k] = static_cast<std::uint8_t>(cells[order[i]].sum[k] / cells[order[i]].count);
  for (const std::size_t c : order) {
    const std::array<long, 3> mean{static_cast<long>(cells[c].sum[0] / cells[c].count),
                                   static_cast<long>(cells[c].sum[1] / cells[c].count),
                                   static_cast<long>(cells[c].sum[2] / cells[c].count)};
    long best = -1;
    for (std::size_t i = 0; i < used; ++i) {
      long distance = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const long d = mean[k] - palette.colours[i][k];
        distance += d * d;
      }
      if (best >= 0 && distance >= best) continue;
      best = distance;
      palette.index[c] = static_cast<std::uint8_t>(i);
    }
  }
  return palette;
}

/// Codes of 9 to 12 bits, lowest bit first, in blocks of at most 255 bytes.
class Codes {
 public:
  explicit Codes(std::string& out) : out_(out) {}
  void write(std::size_t code, unsigned bits) {
    bits_ |= static_cast<std::uint32_t>(code) << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, bits_ >>= 8) byte(static_cast<char>(bits_ & 255));
  }
  void finish() {
    if (count_ > 0) byte(static_cast<char>(bits_ & 255));
    flush();
    out_ += '\0';
  }

 private:
  void byte(char c) {
    block_ += c;
    if (block_.size() == 255) flush();
  }
  void flush() {
    if (block_.empty()) return;
    out_ += static_cast<char>(block_.size());
    out_ += block_;
    block_.clear();
  }
  std::string& out_;
  std::string block_;
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;
};

/// Of a frame on top of another one; null: of the first.
void write_frame(std::string& out, const Pixels& frame, const Pixels* before, const Palette& palette) {
  constexpr std::size_t clear = 256, end = 257;
  out += static_cast<char>(8);
  Codes codes(out);
  std::unordered_map<std::size_t, std::size_t> known;  // (code, byte) to code
  std::size_t next = end + 1, last = 0;
  unsigned bits = 9;
  codes.write(clear, bits);
  bool begun = false;
  for (std::size_t i = 0; i + 2 < frame.rgb.size(); i += 3) {
    const std::uint8_t colour = palette.index[cell_of(&frame.rgb[i])];
    const bool stays = before != nullptr && palette.index[cell_of(&before->rgb[i])] == colour;
    const std::size_t byte = stays ? unchanged : colour;
    if (!begun) {
      last = byte;
      begun = true;
      continue;
    }
    const std::size_t key = last << 8 | byte;
    if (const auto found = known.find(key); found != known.end()) {
      last = found->second;
      continue;
    }
    codes.write(last, bits);
    if (next < 4096) {
      if (next == std::size_t{1} << bits && bits < 12) ++bits;
      known.emplace(key, next++);
    } else {
      codes.write(clear, bits);
      known.clear();
      next = end + 1;
      bits = 9;
    }
    last = byte;
  }
  codes.write(last, bits);
  if (next == std::size_t{1} << bits && bits < 12) ++bits;
  codes.write(end, bits);
  codes.finish();
}

}  // namespace

std::string write_gif(const std::vector<Pixels>& frames, double rate) {
  std::string out = "GIF89a";
  if (frames.empty()) return out + ';';
  const std::size_t width = frames.front().width, height = frames.front().height;
  put16(out, width);
  put16(out, height);
  out += static_cast<char>(0xF7);  // a palette of 256 colours
  out.append(2, '\0');
  const Palette palette = palette_of(frames);
  for (const auto& colour : palette.colours)
    for (const std::uint8_t channel : colour) out += static_cast<char>(channel);
  out += std::string(
      "\x21\xFF\x0B"
      "NETSCAPE2.0\x03\x01\x00\x00\x00",
      19);  // for ever
  const Pixels* before = nullptr;
  std::size_t shown = 0;  // pictures, and the hundredths of a second in which they are
  long passed = 0;
  for (const Pixels& frame : frames) {
    const long until = std::lround(100 * static_cast<double>(++shown) / rate);
    // What is drawn stays, and on it a colour is seen through: what does not move takes next to no room.
    out += std::string("\x21\xF9\x04", 3) + (before != nullptr ? '\x05' : '\x04');
    put16(out, static_cast<std::size_t>(std::clamp(until - passed, 2L, 6000L)));
    passed = until;
    out += static_cast<char>(unchanged);
    out += '\0';
    out += '\x2C';
    out.append(4, '\0');
    put16(out, width);
    put16(out, height);
    out += '\0';
    write_frame(out, frame, before, palette);
    before = &frame;
  }
  return out + ';';
}

}  // namespace liaison::scene
