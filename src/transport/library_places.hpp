/// @file
/// Places of the libraries of tutti that are loaded while a program runs, or before its own.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::runtime {

/// The shared library that holds this code; empty where it is the program.
std::filesystem::path own_library();

/// The folder of the file that holds this code: the program, or a shared library; empty where it is not known.
std::filesystem::path own_folder();

/// The folders where programs find libraries of tutti from where they themselves lie, wherever the tree was moved.
std::vector<std::string> library_folders();

/// The path of the library of that name in library_folders(); empty where it is in none.
std::string library_beside(const std::string& name);

/// Place in which a library is sought.
enum class Sought {
  beside,  ///< in library_folders()
  /// Also beside the plugins, to which the run path of the file with this code leads (tutti::tutti of CMake sets it).
  on_run_path_too
};

/// The library of the heap that ranks share: TUTTI_HEAP_LIBRARY, or what is found; empty where there is no such file,
/// or none that can be preloaded, and where TUTTI_HEAP=0 forbids it.
std::string heap_library(Sought where);

/// Whether LD_PRELOAD can name that file: a name ends there at a space or a colon.
bool can_be_preloaded(std::string_view path);

/// LD_PRELOAD of a program that is to load these before its own libraries and before what LD_PRELOAD names already.
/// Libraries without a name are left out.
std::string preload_list(const std::vector<std::string>& libraries);

}  // namespace tutti::runtime
