# Tests that `make test` runs, and those that `make test-all` alone does. Each test has one label, its part:
#   quick     `make test` runs it
#   thorough  `make test-all` runs it besides
#   shipped   no command runs it in this build, which has a sanitizer: it runs as shipped alone
# The target tests_quick builds what `ctest -L quick` runs, and nothing else; tests_thorough likewise.

add_custom_target(tests_quick)
add_custom_target(tests_thorough)

# Programs of which `make test` runs nothing as shipped, because another program tests the room's laws in less time.
set(tutti_thorough_programs
    # Libraries that are preloaded into programs of an MPI: each takes over 100 s of CPU to compile. `make test` has both MPIs
    # by the matrix of one program, see tutti_quick_matrix.
    conforming_test mpi_check_test
    # Ranks of an mpirun or of the command, started hundreds of times.
    begin_again_test choosing_test cluster_test ending_test finalize_test from_mpi_test host_test hosts_test interpose_test
    odd_ranks_test plan_export_test scale_test
    # Seconds of measuring, and of copying heaps for children.
    bench_command_test heap_test plan_kept_test tune_command_test
    # Ranks as threads: runtime_catalogue_test, interface_test and runtime_messages_test have their laws in part.
    late_ranks_test no_threads_test outstanding_test own_block_test planning_test reproducible_bits_test runtime_deadlock_test
    runtime_receiver_copies_test runtime_places_test runtime_shared_work_test runtime_stress_test sleep_test told_once_test
    training_test
    # The command once more, by what the tests of its rooms look at.
    draw_command_test price_plot_test textbook_command_test
    # Programs that a compiler refuses, and variables of the environment.
    environment_test refused_test)

# Cases that take seconds each, beside others on two cores: of these programs `make test` runs the rest.
set(tutti_dear_any_ranks_test Alike.AreTheRanksOnGridsOfThoseThatSaySo)
# Over 64 ranks; with 8 ranks on faulty channels; with 13.
set(tutti_dear_call_tree_test Ranks/CallTreeOf.*/10)
set(tutti_dear_calls_test Ranks/Calls.ManyInFlightComeToTheirResults/4)
set(tutti_dear_executor_test Ranks/ExecutorOver.FaultyChannelsComesToTheRightResult/6)
set(tutti_dear_plan_cache_test PlanCache.OfAMillionShapesStaysAtItsBound)
set(tutti_dear_catalogue_proof_test CatalogueProof.ManyRanks)
set(tutti_dear_closed_form_test ClosedForm.IsExactWhereItSaysSoForEveryCount
    ClosedForm.IsTheSimulatedTimeOnFullyConnectedRanks)
set(tutti_dear_command_test Color.IsOnTerminalsThatWantIt
    DefaultAlgorithm.IsThatOfThePricesAlsoWhereRanksAreMany
    DefaultAlgorithm.OfAVeryLargeScheduleComesFromClosedForms
    Explain.ChartsAreNoWiderThanPromised Explain.KnowsEveryAlgorithm Explain.NeedsLittleMemoryForManySteps
    Verify.RefusesARangeOfTooManyRanksAtOnce Verify.TriesBlocksOfOneLengthAloneOverManyRanksAndSaysSo)
set(tutti_dear_draw_steps_test Steps.FitAScreen Steps.LargeNetworksHaveAboutTheSizeOfAScreen
    Steps.LargePicturesStaySmallFiles
    Steps.SayWhatIsLeftOut Words.HaveRoomBetweenSlicesButForAFew Words.HaveRoomOnHypercubes)
set(tutti_dear_glossary_test Glossary.HasCommandsThatWork)
set(tutti_dear_lower_bound_test LowerBound.IsNeverBeaten LowerBound.IsNeverBeatenOnRandomDirectedGraphs)
set(tutti_dear_measure_test Limit.IsATimeForEveryCell)
set(tutti_dear_message_wait_test MessageWait.ToMeetOneThatWaitsElsewhereEnds)
set(tutti_dear_mutation_test Mutation.NoMutantThatChangesTheMeaningIsProved)
set(tutti_dear_prices_test Offers.AreThoseOfAllAlgorithmsSimulated)
set(tutti_dear_page_test Page.Of64RanksAnd12StepsIsBelow3MiB)
set(tutti_dear_plan_command_test Plan.HoldsMeasurementsAgainstGuidelines Plan.MeasuresWhatItPredicts)
set(tutti_dear_programs_test Train.KeepsItsPromisesOnFourRanks)
set(tutti_dear_run_test OnTerminal.* RunRanks.MayCloseDescriptorsThatTheyHaveNotOpened
    RunRanks.SayThatAPeersMemoryHasNoRoomWhereTheyNeedIt)
set(tutti_dear_symbolic_prices_test SymbolicPrices.AreTheSimulatedTimesOnManyNetworks)
set(tutti_dear_symmetry_test SymmetricAlgorithm.IsProvedOverManyRanks SymmetricAlgorithm.IsProvedByOneRankWhereAllRanksProveIt
    Symmetry.ProvesNoMutantThatIsNotProvedAsAWhole Symmetry.SaysTheSameForATextAsForItsSchedule)
set(tutti_dear_synthesized_test Synthesized.IsProvedAndNearTheOptimum)
set(tutti_dear_trace_test Trace.RecorderKeepsTheFirstSpansAndSaysSo)

# Programs that take longer than others: so many tests share their cases, so that they run beside one another. No case of theirs starts a program
# of GoogleTest, which would take a share of its own cases.
set(tutti_shares_command_test 6)
set(tutti_shares_draw_steps_test 2)
set(tutti_shares_runtime_catalogue_test 4)
set(tutti_shares_usage_test 2)

# The program that `make test` starts with other kinds of ranks: every algorithm of the catalogue. `make test-all` starts the
# others, too, and all of them with ranks that may not read one another's memory.
set(tutti_quick_matrix runtime_catalogue_test)
set(tutti_dear_kinds .cells .mixed)

# Samples of `make test` with sanitizers, from rooms with threads or with values in plain bytes. The thread sanitizer sees calls,
# progress and channels between threads by the public calls, by messages and by every algorithm.
set(tutti_sample_thread interface_test lane_test memory_test runtime_catalogue_test runtime_messages_test)
# The address sanitizer sees kernels, both heaps, segments of shared memory, channels and the executor.
set(tutti_sample_address arena_test executor_test kernels_test memory_test page_marks_test runtime_catalogue_test
    runtime_messages_test segment_test)

# tutti_part(RESULT PROGRAM label ...): the part of a program's tests. Its labels are `runtime` where its ranks are threads,
# and `slow` where sanitizers are to leave it out.
function(tutti_part result program)
  set(part quick)
  if(TUTTI_SANITIZE MATCHES thread)
    set(sample ${tutti_sample_thread})
  elseif(TUTTI_SANITIZE)
    set(sample ${tutti_sample_address})
  endif()
  if(NOT TUTTI_SANITIZE)
    if("slow" IN_LIST ARGN OR program IN_LIST tutti_thorough_programs)
      set(part thorough)
    endif()
  elseif("slow" IN_LIST ARGN OR (TUTTI_SANITIZE MATCHES thread AND NOT "runtime" IN_LIST ARGN))
    set(part shipped)
  elseif(NOT program IN_LIST sample)
    set(part thorough)
  endif()
  set(${result} ${part} PARENT_SCOPE)
endfunction()

# tutti_builds(PART target ...): what tests of that part need.
function(tutti_builds part)
  if(NOT part STREQUAL shipped)
    add_dependencies(tests_${part} ${ARGN})
  endif()
endfunction()

# tutti_further_test(NAME PART target ...): a test that add_test has added belongs to that part, and needs the targets. No
# sanitizer looks at it.
function(tutti_further_test name part)
  if(TUTTI_SANITIZE)
    set(part shipped)
  endif()
  set_property(TEST ${name} PROPERTY LABELS ${part})
  tutti_builds(${part} ${ARGN})
endfunction()

# tutti_matrix_test(NAME PROGRAM): a whole program with another kind of rank, as a further test.
function(tutti_matrix_test name program)
  set(part thorough)
  cmake_path(GET name EXTENSION LAST_ONLY kind)
  if(program IN_LIST tutti_quick_matrix AND NOT kind IN_LIST tutti_dear_kinds)
    set(part quick)
  endif()
  tutti_further_test(${name} ${part} ${program})
endfunction()
