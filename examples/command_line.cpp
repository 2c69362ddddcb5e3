#include "examples/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

#include "tutti/error.hpp"

namespace examples {
namespace {

// "--rows 1..32=2": the range, and the default.
void add_range(CLI::Option& option, int least, int most) {
  option.check(CLI::Range(least, most).description(""))->type_name(fmt::format("{}..{}", least, most));
  option.capture_default_str();
}

}  // namespace

void Options::add_number(const char* name, int& value, int least, int most, const char* help) {
  add_range(*app_.add_option(name, value, help), least, most);
}

void Options::add_number(const char* name, std::int64_t& value, int least, int most, const char* help) {
  add_range(*app_.add_option(name, value, help), least, most);
}

void Options::add_text(const char* name, std::string& value, const char* help) { app_.add_option(name, value, help); }

void Options::add_flag(const char* name, bool& value, const char* help) { app_.add_flag(name, value, help); }

void Options::add_ranks(int& ranks) {
  add_number("--ranks", ranks, 1, 1024,
             "Number of ranks, as threads, unless the program is started as several processes");
}

int run(const Example& example, int argc, char** argv) {
  const auto complain = [&](const char* what, int status) {
    std::fputs(fmt::format("{}: {}\n", example.name, what).c_str(), stderr);  // fmt::print() throws where it is closed
    return status;
  };
  CLI::App app(example.purpose, example.name);
  try {
    Options options(app);
    example.add_options(options);
    app.parse(argc, argv);
    return example.program();
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), 2);
  } catch (const tutti::Error& error) {
    return complain(error.what(), error.code() == tutti::ErrorCode::invalid_argument ? 2 : 1);
  } catch (const std::exception& error) {
    return complain(error.what(), 1);
  }
}

}  // namespace examples
