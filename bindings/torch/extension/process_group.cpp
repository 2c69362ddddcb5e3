#include "bindings/torch/extension/process_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/chrono.h>
#include <torch/csrc/utils/pybind.h>

#include <cstdio>

#include "bindings/torch/extension/groups.hpp"
#include "tutti/error.hpp"

namespace tutti::torch_backend {
namespace {

/// Frees the interpreter while it lives, where this thread holds it.
class WithoutInterpreter {
 public:
  WithoutInterpreter() : state_(Py_IsInitialized() != 0 && PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr) {}
  WithoutInterpreter(const WithoutInterpreter&) = delete;
  WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;
  ~WithoutInterpreter() {
    if (state_ != nullptr) PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

c10::intrusive_ptr<ProcessGroup> create(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                        std::chrono::milliseconds timeout) {
  auto made = c10::make_intrusive<ProcessGroup>(join_group(store, rank, size, timeout));
  made->set_store(store);
  return made;
}

// Rank 0 needs that long to say who has not come in time, on a busy machine.
constexpr std::chrono::seconds time_of_verdict(10);

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

ProcessGroup::ProcessGroup(std::shared_ptr<Group> group)
    : BackendBase(group->rank(), group->size()), group_(std::move(group)) {}

// An error at the end was thrown by a call before, or concerns calls that nobody has waited for; but ranks may have called
// differently without a call that had to notice it.
ProcessGroup::~ProcessGroup() {
  const WithoutInterpreter free;
  try {
    group_->leave();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::mismatch)
      std::fputs(fmt::format("tutti: the end of a process group: {}\n", error.what()).c_str(), stderr);
  } catch (const std::exception&) {
  }
}

/// Rank 0 looks for a key of each other rank, and writes its verdict under another one. Ranks count their barriers in the store, so
/// that a store may be used again.
void ProcessGroup::monitoredBarrier(const c10d::BarrierOptions& options, bool wait_all_ranks) {
  const WithoutInterpreter free;
  const std::chrono::milliseconds timeout = options.timeout.count() >= 0 ? options.timeout : group_->timeout();
  const std::int64_t number = store_->add(fmt::format("tutti/barriers/{}", rank_), 1);
  const auto key = [&](int rank) { return fmt::format("tutti/barrier/{}/{}", number, rank); };
  const auto has_come = [&](int rank, std::chrono::milliseconds limit) {
    try {
      store_->wait({key(rank)}, limit);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  if (rank_ != 0) {
    store_->set(key(rank_), bytes_of("here"));
    if (!has_come(0, timeout + time_of_verdict))
      throw Error(ErrorCode::timeout,
                  fmt::format("[Rank {}]: Rank 0 failed to pass monitoredBarrier in {} ms", rank_, timeout.count()));
    const std::vector<std::uint8_t> verdict = store_->get(key(0));
    if (const std::string text(verdict.begin(), verdict.end()); text != "all")
      throw Error(ErrorCode::timeout, fmt::format("[Rank {}]: {}", rank_, text));
    return;
  }
  std::vector<int> missing;
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (int other = 1; other < size_ && (wait_all_ranks || missing.empty()); ++other) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (!has_come(other, std::max(left, std::chrono::milliseconds(1)))) missing.push_back(other);
  }
  const std::string verdict =
      missing.empty() ? "all"
                      : fmt::format("{} {} failed to pass monitoredBarrier in {} ms",
                                    missing.size() == 1 ? "Rank" : "Ranks", fmt::join(missing, ", "), timeout.count());
  store_->set(key(0), bytes_of(verdict));
  if (!missing.empty()) throw Error(ErrorCode::timeout, fmt::format("[Rank 0]: {}", verdict));
}

void add_process_group(pybind11::module_& module) {
  namespace py = pybind11;
  const py::object base = py::module_::import("torch._C._distributed_c10d").attr(name_of_base);
  py::class_<ProcessGroup, BackendBase, c10::intrusive_ptr<ProcessGroup>>(module, "ProcessGroup",
                                                                          "A group of torch.distributed on tutti.");
  module.def("create", create, py::arg("store"), py::arg("rank"), py::arg("size"), py::arg("timeout"),
             py::call_guard<py::gil_scoped_release>());
  module.def("leave_all", leave_all, py::call_guard<py::gil_scoped_release>());
  module.def("abandon_all", abandon_all, py::arg("why"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "premul_sum", [](double factor) { return c10d::makeNCCLPreMulSum(factor); }, py::arg("factor"));
  module.def(
      "premul_sum", [](std::vector<at::Tensor> factors) { return c10d::makeNCCLPreMulSum(factors); },
      py::arg("factors"));
}

}  // namespace tutti::torch_backend
