#define _POSIX_C_SOURCE 200809L
#include "base/link.h"

#include "base/vec.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#ifdef TARN_MPI // make MPI=1; other builds have no transport
#include <mpi.h>
#endif

static const long first_nap = 20000, longest_nap = 1000000; // nanoseconds
enum { YIELDS = 100 };

// Longer and longer, for what is waited for may take seconds.
static void wait(uint32_t *count, long *length) {
  const struct timespec time = {.tv_nsec = *length};
  if (++*count < YIELDS) {
    sched_yield();
    return;
  }
  nanosleep(&time, NULL);
  *length = *length * 2 < longest_nap ? *length * 2 : longest_nap;
}

void link_tell(Link *link, uint32_t to, const void *bytes, size_t size) {
  long length = first_nap;
  uint32_t count = 0;
  const uint32_t ticket = link->send(link, to, LINK_TALK, bytes, size);
  while (!link->is_sent(link, ticket))
    wait(&count, &length);
}

static uint32_t await(Link *link, uint32_t from, size_t *size) {
  long length = first_nap;
  uint32_t count = 0;
  uint32_t rank;
  while (!link->has_come(link, LINK_TALK, from, &rank, size))
    wait(&count, &length);
  return rank;
}

void link_hear_into(Link *link, uint32_t from, void *bytes, size_t size) {
  size_t came;
  await(link, from, &came);
  assert(came == size);
  link->take(link, LINK_TALK, from, bytes, size);
}

void *link_hear(Link *link, Mem *mem, uint32_t from, size_t *size) {
  const uint32_t rank = await(link, from, size);
  char *bytes = mem_alloc(mem, *size + 1);
  link->take(link, LINK_TALK, rank, bytes, *size);
  return bytes;
}

// Whether something like mpirun started several of us. MPI itself is not asked: to begin with it
// takes a tenth of a second.
static bool is_one_of_many(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *size = getenv(names[i]);
    if (size && atoi(size) > 1)
      return true;
  }
  return getenv("PMIX_RANK") || getenv("PMI_RANK");
}

#ifndef TARN_MPI
Link *link_open(Mem *mem, const char **error) {
  (void)mem;
  *error = is_one_of_many() ? "this tarn was built without MPI, and each process would search "
                              "alone; build it with `make MPI=1`"
                            : NULL;
  return NULL;
}
#else

typedef struct MpiLink {
  Link link; // first: a Link * is an MpiLink *
  Mem *mem;
  Mem *own;                  // whichever thread sends allocates here
  VEC(MPI_Request) requests; // by ticket
  VEC(uint32_t) spare;       // tickets
} MpiLink;

static uint32_t send(Link *link, uint32_t to, LinkTag tag, const void *bytes, size_t size) {
  MpiLink *mpi = (MpiLink *)link;
  if (!mpi->spare.size) {
    vec_push(mpi->own, &mpi->spare, mpi->requests.size);
    vec_push(mpi->own, &mpi->requests, MPI_REQUEST_NULL);
  }
  const uint32_t ticket = vec_pop(&mpi->spare);
  // Synchronous: it is complete when the receiver takes it, so that a sender that is faster than
  // the receivers notices.
  (tag == LINK_BATCH ? MPI_Issend : MPI_Isend)(bytes, (int)size, MPI_BYTE, (int)to, (int)tag,
                                               MPI_COMM_WORLD, &mpi->requests.items[ticket]);
  return ticket;
}

static bool is_sent(Link *link, uint32_t ticket) {
  MpiLink *mpi = (MpiLink *)link;
  int flag = 0;
  MPI_Test(&mpi->requests.items[ticket], &flag, MPI_STATUS_IGNORE);
  if (flag)
    vec_push(mpi->own, &mpi->spare, ticket);
  return flag;
}

static bool has_come(Link *link, LinkTag tag, uint32_t rank, uint32_t *from, size_t *size) {
  MPI_Status status;
  int flag = 0, count = 0;
  (void)link;
  MPI_Iprobe(rank == LINK_ANY ? MPI_ANY_SOURCE : (int)rank, (int)tag, MPI_COMM_WORLD, &flag,
             &status);
  if (!flag)
    return false;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *from = (uint32_t)status.MPI_SOURCE;
  *size = (size_t)count;
  return true;
}

static void take(Link *link, LinkTag tag, uint32_t from, void *bytes, size_t size) {
  (void)link;
  MPI_Recv(bytes, (int)size, MPI_BYTE, (int)from, (int)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void close_link(Link *link) {
  MpiLink *mpi = (MpiLink *)link;
  mem_release_branch(mpi->mem, mpi->own);
  mem_free(mpi->mem, mpi);
}

static void finalize(void) {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (!is_over)
    MPI_Finalize();
}

// MPI begins once in a program, and ends with it.
static int begin(void) {
  int is_begun = 0, provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&is_begun);
  if (!is_begun) {
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    atexit(finalize);
  }
  MPI_Query_thread(&provided);
  return provided;
}

Link *link_open(Mem *mem, const char **error) {
  *error = NULL;
  int ranks = 1, rank = 0;
  if (!is_one_of_many())
    return NULL;
  const int provided = begin();
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (ranks == 1 || provided < MPI_THREAD_SERIALIZED) {
    *error = ranks == 1 ? NULL : "this MPI does not allow threads (MPI_THREAD_SERIALIZED)";
    return NULL;
  }
  int neighbours = 1;
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &neighbours);
  MPI_Comm_free(&machine);
  MpiLink *mpi = mem_alloc(mem, sizeof *mpi);
  *mpi = (MpiLink){.link = {.ranks = (uint32_t)ranks,
                            .rank = (uint32_t)rank,
                            .neighbours = (uint32_t)neighbours,
                            .send = send,
                            .is_sent = is_sent,
                            .has_come = has_come,
                            .take = take,
                            .close = close_link},
                   .mem = mem,
                   .own = mem_branch(mem)};
  return &mpi->link;
}
#endif
