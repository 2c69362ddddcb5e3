#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.scan(1.0F, tutti::average); }
