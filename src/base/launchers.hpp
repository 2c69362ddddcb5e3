/// @file
/// By which variables of the environment the launchers of MPI programs tell a process that it is a rank of theirs.
#pragma once

namespace tutti {

/// What one launcher sets. Null: it does not tell that.
struct MpiLauncherVariables {
  const char* mpi;         ///< whose programs it starts; null: any MPI's
  const char* rank;        ///< of this process
  const char* ranks;       ///< how many the job has
  const char* ranks_here;  ///< how many are on this rank's host
  const char* job;         ///< its name
};

/// PMIx is spoken by launchers other than Open MPI's own, too: Slurm's srun, PRRTE's prterun.
inline constexpr const char* pmix_job = "PMIX_NAMESPACE";

/// The first that applies counts.
inline constexpr MpiLauncherVariables mpi_launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", pmix_job},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr},
    {nullptr, "PMIX_RANK", nullptr, nullptr, pmix_job},
};

}  // namespace tutti
