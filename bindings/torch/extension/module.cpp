// The module tutti.torch._backend.

#include <torch/csrc/utils/pybind.h>

#include "bindings/torch/extension/allocator.hpp"
#include "bindings/torch/extension/process_group.hpp"

PYBIND11_MODULE(_backend, module) {
  module.doc() = "tutti's backend of torch.distributed; import tutti.torch instead.";
  tutti::torch_backend::add_operation(module);
  tutti::torch_backend::add_process_group(module);
  tutti::torch_backend::add_memory(module);
}
