"""Recipe of Spack. It takes the tarball of `make dist` from a mirror:

spack mirror add tutti file:///path/to/mirror   # with tutti/tutti-1.0.0.tar.gz below it
spack install tutti
"""

from spack.package import *


class Tutti(CMakePackage):
    """Collective communication that is proved, priced, simulated and run: between threads, processes and, through MPI, nodes."""

    manual_download = True
    license("Apache-2.0")

    version("1.0.0")

    variant("app", default=True, description="Build the command")
    variant("runtime", default=True, description="Build what runs collectives; without it, what proves, prices and draws them")
    variant("python", default=False, when="+runtime", description="Build the module of Python")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("clp")
    depends_on("cli11", type="build")
    depends_on("fmt@9:")
    depends_on("highway")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus", type="build")
    depends_on("mpi", when="+runtime")
    depends_on("py-pybind11", when="+python", type="build")
    depends_on("python@3.11:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("TUTTI_BUILD_APP", "app"),
            self.define_from_variant("TUTTI_BUILD_RUNTIME", "runtime"),
            self.define_from_variant("TUTTI_BUILD_PYTHON", "python"),
            self.define("TUTTI_BUILD_TESTS", False),
            self.define("TUTTI_BUILD_EXAMPLES", False),
        ]
