# Installation and find_package(tutti).
