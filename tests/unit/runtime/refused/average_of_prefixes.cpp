// refused: average is not offered for scans
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.scan(1.0, tutti::average); }
