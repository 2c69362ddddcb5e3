// refused: tutti moves consecutive elements: pass a vector, an array or a span
#include <list>

#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::list<int>& numbers) { comm.all_reduce(numbers, tutti::sum); }
