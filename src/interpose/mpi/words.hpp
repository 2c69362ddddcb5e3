/// @file
/// Lists of arguments: of functions of C as words of the machine (see entry.hpp), and of Fortran as addresses; what an
/// entry takes, and what it passes on.
#pragma once

#include "interpose/mpi/entry.hpp"

// NOLINTBEGIN: lists that no function can make
#define TUTTI_WORDS_1 Word a
#define TUTTI_WORDS_2 TUTTI_WORDS_1, Word b
#define TUTTI_WORDS_3 TUTTI_WORDS_2, Word c
#define TUTTI_WORDS_4 TUTTI_WORDS_3, Word d
#define TUTTI_WORDS_5 TUTTI_WORDS_4, Word e
#define TUTTI_WORDS_6 TUTTI_WORDS_5, Word f
#define TUTTI_WORDS_7 TUTTI_WORDS_6, Word g
#define TUTTI_WORDS_8 TUTTI_WORDS_7, Word h
#define TUTTI_WORDS_9 TUTTI_WORDS_8, Word i
#define TUTTI_WORDS_10 TUTTI_WORDS_9, Word j
#define TUTTI_WORDS_12 TUTTI_WORDS_10, Word k, Word l
#define TUTTI_WORDS_13 TUTTI_WORDS_12, Word m
#define TUTTI_PASS_1 a
#define TUTTI_PASS_2 TUTTI_PASS_1, b
#define TUTTI_PASS_3 TUTTI_PASS_2, c
#define TUTTI_PASS_4 TUTTI_PASS_3, d
#define TUTTI_PASS_5 TUTTI_PASS_4, e
#define TUTTI_PASS_6 TUTTI_PASS_5, f
#define TUTTI_PASS_7 TUTTI_PASS_6, g
#define TUTTI_PASS_8 TUTTI_PASS_7, h
#define TUTTI_PASS_9 TUTTI_PASS_8, i
#define TUTTI_PASS_10 TUTTI_PASS_9, j
#define TUTTI_PASS_11 TUTTI_PASS_10, k
#define TUTTI_PASS_12 TUTTI_PASS_11, l

#define TUTTI_PLACES_2 void *a, void *b
#define TUTTI_PLACES_3 TUTTI_PLACES_2, void* c
#define TUTTI_PLACES_4 TUTTI_PLACES_3, void* d
#define TUTTI_PLACES_5 TUTTI_PLACES_4, void* e
#define TUTTI_PLACES_6 TUTTI_PLACES_5, void* f
#define TUTTI_PLACES_7 TUTTI_PLACES_6, void* g
#define TUTTI_PLACES_8 TUTTI_PLACES_7, void* h
#define TUTTI_PLACES_9 TUTTI_PLACES_8, void* i
#define TUTTI_PLACES_10 TUTTI_PLACES_9, void* j
#define TUTTI_PLACES_11 TUTTI_PLACES_10, void* k
#define TUTTI_PLACES_12 TUTTI_PLACES_11, void* l
#define TUTTI_PLACES_13 TUTTI_PLACES_12, void* m
#define TUTTI_PLACES_14 TUTTI_PLACES_13, void* n
#define TUTTI_PASS_13 TUTTI_PASS_12, m
#define TUTTI_PASS_14 TUTTI_PASS_13, n

/// What Open MPI's function of Fortran is called: under four manglings, and as `use mpi_f08` calls it.
#define TUTTI_UNDER_ALL_NAMES(TAKE, LOWER, UPPER, ...) \
  TAKE(mpi_##LOWER, __VA_ARGS__)                       \
  TAKE(mpi_##LOWER##_, __VA_ARGS__)                    \
  TAKE(mpi_##LOWER##__, __VA_ARGS__)                   \
  TAKE(MPI_##UPPER, __VA_ARGS__)                       \
  TAKE(ompi_##LOWER##_f, __VA_ARGS__)
// NOLINTEND
