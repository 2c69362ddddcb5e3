#include "support/report.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace tutti::testing {
namespace {

void put(std::string& bytes, std::int64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& bytes, const std::string& text) {
  put(bytes, static_cast<std::int64_t>(text.size()));
  bytes += text;
}

std::int64_t take_number(std::string_view& bytes) {
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return number;
}

std::string take_text(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(take_number(bytes));
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

Outcome outcome_of(const RankFunction& function, Communicator& comm) {
  try {
    function(comm);
    comm.wait_all();
    return {};
  } catch (const Error& error) {
    return {error.code(), false, error.what()};
  } catch (const std::exception& exception) {
    return {std::nullopt, true, exception.what()};
  }
}

Report report_of(const RankFunction& function, const std::function<Communicator&()>& join) {
  ::testing::TestPartResultArray results;
  Report report;
  {
    const ::testing::ScopedFakeTestPartResultReporter keeper(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    try {
      report.outcome = outcome_of(function, join());
    } catch (const Error& error) {  // a rank has failed before this one came
      report.outcome = {error.code(), false, error.what()};
    } catch (const std::exception& exception) {
      report.outcome = {std::nullopt, true, exception.what()};
    }
  }
  for (int k = 0; k < results.size(); ++k) {
    const ::testing::TestPartResult& result = results.GetTestPartResult(k);
    if (!result.failed()) continue;
    report.failures.push_back(
        {result.file_name() == nullptr ? "" : result.file_name(), result.line_number(), result.message()});
  }
  return report;
}

std::string packed(const Report& report) {
  std::string bytes;
  put(bytes, report.outcome.code ? static_cast<std::int64_t>(*report.outcome.code) : -1);
  put(bytes, report.outcome.threw ? 1 : 0);
  put(bytes, report.outcome.message);
  put(bytes, static_cast<std::int64_t>(report.failures.size()));
  for (const Failure& failure : report.failures) {
    put(bytes, failure.file);
    put(bytes, failure.line);
    put(bytes, failure.message);
  }
  return bytes;
}

Report unpacked(std::string_view bytes) {
  Report report;
  if (const std::int64_t code = take_number(bytes); code >= 0) report.outcome.code = static_cast<ErrorCode>(code);
  report.outcome.threw = take_number(bytes) == 1;
  report.outcome.message = take_text(bytes);
  report.failures.resize(static_cast<std::size_t>(take_number(bytes)));
  for (Failure& failure : report.failures) {
    failure.file = take_text(bytes);
    failure.line = static_cast<int>(take_number(bytes));
    failure.message = take_text(bytes);
  }
  return report;
}

}  // namespace tutti::testing
