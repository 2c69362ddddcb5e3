#include "examples/command_line.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "tutti/error.hpp"

namespace examples {

void add_ranks(CLI::App& app, int& ranks) {
  app.add_option("--ranks", ranks, "Number of ranks, as threads, unless the program is started as several processes")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

int run(const Example& example, int argc, char** argv) {
  const auto complain = [&](const char* what, int status) {
    fmt::print(stderr, "{}: {}\n", example.name, what);
    return status;
  };
  CLI::App app(example.purpose, example.name);
  try {
    example.add_options(app);
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
