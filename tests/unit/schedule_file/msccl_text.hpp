/// @file
/// Files of MSCCL written piece by piece, and what is said of them when they are read.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "schedule_file/msccl.hpp"
#include "tutti/error.hpp"

namespace tutti {

struct Wait {
  int block = -1;
  int step = -1;
};

inline std::string step(int number, const std::string& type, char from, int first, char to, int second,
                        Wait wait = {}) {
  return fmt::format(
      R"(<step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="1" depid="{}" deps="{}" hasdep="0"/>)",
      number, type, from, first, to, second, wait.block, wait.step);
}

inline std::string block(int id, int send, int receive, const std::string& steps, int channel = 0) {
  return fmt::format(R"(<tb id="{}" send="{}" recv="{}" chan="{}">{}</tb>)", id, send, receive, channel, steps);
}

inline std::string gpu(int id, int scratch, const std::string& blocks) {
  return fmt::format("<gpu id=\"{}\" i_chunks=\"0\" o_chunks=\"0\" s_chunks=\"{}\">\n{}</gpu>\n", id, scratch, blocks);
}

inline std::string algorithm(const std::string& collective, int ranks, int chunks, bool in_place,
                             const std::string& gpus) {
  return fmt::format(
      "<!-- a comment with a \" in it -->\n<algo name=\"mine\" coll=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" "
      "proto='Simple' inplace=\"{}\" outofplace=\"{}\">\n{}</algo>\n",
      collective, chunks, ranks, in_place ? 1 : 0, in_place ? 0 : 1, gpus);
}

inline std::string complaint_about(const std::string& text, std::int64_t count = 0) {
  try {
    read_msccl(text, "mine.xml", count);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << error.what();
    return error.what();
  }
  return "nothing wrong";
}

}  // namespace tutti
