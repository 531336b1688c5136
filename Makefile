# Builds tarn. `make help` lists the targets.
#
# Everything made lies in one folder per compiler and mode: build/$(MODE) with gcc,
# build/$(CC)-$(MODE) with another compiler, so that they can stand side by side.
# Sources are found by wildcard: a new file needs no line here.

VERSION := $(shell cat VERSION)
SONAME := libtarn.so.$(firstword $(subst ., ,$(VERSION)))

MODE ?= release
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD := build/$(if $(filter gcc,$(CC)),,$(notdir $(CC))-)$(if $(MPI),mpi-)$(MODE)

# What each mode adds. CFLAGS may be replaced from outside, the rest may not.
#   release   what users run: optimised, assertions off
#   debug     assertions on, optimised no further than a debugger can follow
#   asan      address and undefined-behaviour sanitizers
#   tsan      thread sanitizer
#   paranoid  also the costly assertions
#   libfuzzer for test/fuzz/readers.sh, with CC=clang
#   planted   has a bug on purpose, for the random tester to find
#   plain     the reference build: no technique that only serves speed
#   lowered   limits that only large searches reach are low (src/base/testbuild.h)
# DEBUG_INFO=-g1 builds faster: names and lines for a backtrace, no variables for a debugger.
DEBUG_INFO ?= -g
SANITIZERS := -fno-omit-frame-pointer -DTARN_NO_CLONES
flags_release := -O3
mode_release := -DNDEBUG
flags_debug := -Og $(DEBUG_INFO)
flags_asan := -Og $(DEBUG_INFO)
mode_asan := -fsanitize=address,undefined -fno-sanitize-recover=all $(SANITIZERS)
flags_tsan := -O1 $(DEBUG_INFO)
mode_tsan := -fsanitize=thread $(SANITIZERS)
flags_paranoid := -O2 $(DEBUG_INFO)
mode_paranoid := -DTARN_PARANOID
flags_libfuzzer := -O1 $(DEBUG_INFO)
mode_libfuzzer := $(mode_asan) -fsanitize=fuzzer-no-link
flags_planted := -O1 $(DEBUG_INFO)
mode_planted := -DTARN_PLANTED -DNDEBUG -DTARN_NO_CLONES
flags_lowered := -O1 $(DEBUG_INFO)
mode_lowered := -DTARN_LOWERED
flags_plain := -O2 $(DEBUG_INFO)
mode_plain := -DTARN_PLAIN -DTARN_NO_CLONES
ifeq ($(flags_$(MODE)),)
$(error MODE=$(MODE) is not one of: release debug asan tsan paranoid plain lowered planted libfuzzer)
endif

# MPI=1: processes on several machines search together (src/base/link.c).
ifneq ($(MPI),)
MPI_FLAGS := -DTARN_MPI $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile 2>/dev/null || mpicc -compile_info))
MPI_LIBS := $(shell mpicc --showme:link 2>/dev/null || mpicc -link_info)
ifeq ($(MPI_LIBS),)
$(error MPI=1 needs mpicc: tools/deps mpi)
endif
endif

# Modes whose switches few files see (tools/switched) take the other objects from another mode.
# Not so if flags come from outside.
origin_plain := debug
origin_lowered := debug
origin_planted := release
switches_plain := TARN_PLAIN TARN_NO_CLONES
switches_lowered := TARN_LOWERED
switches_planted := TARN_PLANTED TARN_NO_CLONES
ifeq ($(origin CFLAGS)$(CPPFLAGS)$(LDFLAGS),undefined)
ORIGIN := $(or $(origin_$(MODE)),$(if $(MPI),$(MODE)))
endif
ifneq ($(ORIGIN),)
SWITCHED := $(shell tools/switched $(switches_$(MODE)) $(if $(MPI),TARN_MPI)) \
  $(if $(filter planted,$(MODE)),$(patsubst test/fuzz/plant/%.sed,src/check/%.c,$(wildcard test/fuzz/plant/*.sed)))
SHARED := build/$(if $(filter gcc,$(CC)),,$(notdir $(CC))-)$(ORIGIN)
endif
# $(call objects,SOURCES)
objects = $(if $(ORIGIN),$(patsubst %.c,$(BUILD)/%.o,$(filter $(SWITCHED),$(1))) \
  $(patsubst %.c,$(SHARED)/%.o,$(filter-out $(SWITCHED),$(1))),$(1:%.c=$(BUILD)/%.o))

# One short line for each file; V=1 shows the commands, make -s nothing.
SILENT := $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS))))
Q := $(if $(V),,@)
say = $(if $(V)$(SILENT),@:,@printf '  %-7s %s\n' $(1) $(2))

WARNINGS := -Wall -Wno-psabi -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion \
  -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wwrite-strings -Wcast-qual \
  -Wpointer-arith -Wvla -Wformat=2
CFLAGS ?= $(flags_$(MODE))
# The C library is looked at first: most names are found there.
LIBS := -lc -ljansson $(MPI_LIBS) -pthread -Wl,--as-needed -lm
# Loaded when they are needed (src/language/uppaal/libxml.h), by the names with which a program would be linked.
soname = $(shell objdump -p "$$($(CC) -print-file-name=$(1))" 2>/dev/null | awk '$$1 == "SONAME" { print $$2 }')
LIBXML := $(or $(call soname,libxml2.so),libxml2.so.2)
compile = $(CC) -std=c17 $(WARNINGS) -Isrc -isystem /usr/include/libxml2 -DTARN_VERSION='"$(VERSION)"' -DTARN_LIBXML='"$(LIBXML)"' -fPIC \
  -fvisibility=hidden -pthread $(mode_$(1)) $(CPPFLAGS)
COMPILE = $(call compile,$(MODE)) $(CFLAGS)
COMPILE_SHARED = $(call compile,$(ORIGIN)) $(flags_$(ORIGIN))
LINK = $(CC) $(mode_$(MODE)) $(CFLAGS) -Wl,-z,relro,-z,now $(LDFLAGS)

# The library is everything in src but the command.
COMMAND := src/main.c $(wildcard src/command/*.c)
COMMAND_OBJECTS := $(call objects,$(COMMAND))
LIBEDIT := $(or $(call soname,libedit.so),libedit.so.2)
$(addsuffix /src/command/line_editor.o,$(BUILD) $(SHARED)): CPPFLAGS += -DTARN_LIBEDIT='"$(LIBEDIT)"'
MICROHTTPD := $(or $(call soname,libmicrohttpd.so),libmicrohttpd.so.12)
$(addsuffix /src/command/http_library.o,$(BUILD) $(SHARED)): CPPFLAGS += -DTARN_MICROHTTPD='"$(MICROHTTPD)"'
ifneq ($(MPI),)
$(BUILD)/src/base/link.o: CPPFLAGS += $(MPI_FLAGS)
endif
SOURCES := $(filter-out $(COMMAND),$(wildcard src/*.c src/*/*.c src/*/*/*.c))
OBJECTS := $(call objects,$(SOURCES)) $(or $(SHARED),$(BUILD))/embedded_files.o
UNITS := $(patsubst %.c,$(BUILD)/%,$(wildcard test/unit/test_*.c test/unit/*/test_*.c))
UNIT_HELPERS := $(filter-out test/unit/test_%,$(wildcard test/unit/*.c))
UNIT_HELPERS := $(call objects,$(UNIT_HELPERS))
FORMATTED := $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] test/*/*.[ch] test/unit/*/*.c bench/*.[ch])

.PHONY: all help libs units fuzz fuzz-readers demo quick test agree agree-local agree-bounds agree-orders \
  agree-threads agree-programs agree-stopwatches agree-plain agree-uppaal agree-diagonals agree-evidence agree-forged agree-queries agree-partial agree-slices agree-random agree-answers agree-chains agree-mutants oracles hypotheses coverage reproduce proof proofs proof-random install uninstall static dist deb wheel site workbench format check-format clean FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/tarn $(BUILD)/libtarn.a $(BUILD)/libtarn.so

help:
	@echo 'make              tarn, libtarn.a and libtarn.so in $(BUILD)'
	@echo 'make units        the unit tests, in $(BUILD)/test/unit'
	@echo 'make fuzz         the random tester, until it is stopped (SEED=N)'
	@echo 'make fuzz-readers the readers under libFuzzer, three minutes each (needs clang)'
	@echo 'make demo         build and run tarn on two models'
	@echo 'make proofs       certificates of all models of test/run/counts.tsv, and all evidence (result in test/run/proofs.txt)'
	@echo 'make quick        unit tests and golden runs, under a minute from a built tree'
	@echo 'make test         all tests for which the tools are installed (tools/test installs them)'
	@echo 'make agree        all engines on 20000 random networks (result in test/fuzz/agree.txt)'
	@echo 'make agree-local  local and global time on 30000 (test/fuzz/agree_local.txt)'
	@echo 'make agree-orders all orders and abstractions on 5000 (test/fuzz/agree_orders.txt)'
	@echo 'make agree-threads searches by 1 to 5 threads on 2000 (test/fuzz/agree_threads.txt)'
	@echo 'make agree-plain  counts of release and reference build on 2000 (test/fuzz/agree_plain.txt)'
	@echo 'make oracles     statistical queries with exact answers, 25000 runs each (test/statistics/oracles.txt)'
	@echo 'make hypotheses  how often tests of hypotheses are wrong, in 2000 checks (test/statistics/hypotheses.txt)'
	@echo 'make coverage    how often intervals hold the exact value, in 2000 checks (test/statistics/coverage.txt)'
	@echo 'make agree-workbench edits of files, taken back, 1000 for each (test/fuzz/agree_workbench.txt; MODELS=folder)'
	@echo 'make agree-answers suites, several runs and thresholds on 10000 (test/fuzz/agree_answers.txt)'
	@echo 'make agree-chains  estimates beside exact values on 500 random models (test/fuzz/agree_chains.txt)'
	@echo 'make agree-mutants equivalent mutants on 500 (test/fuzz/agree_mutants.txt)'
	@echo 'make agree-random random runs of UPPAAL networks on 12000 (test/fuzz/agree_random.txt)'
	@echo 'make agree-uppaal UPPAAL networks with every construct on 20000 (test/fuzz/agree_uppaal.txt)'
	@echo 'make agree-diagonals differences of clocks on 12000 (test/fuzz/agree_diagonals.txt)'
	@echo 'make agree-evidence evidence of random queries with random options (test/fuzz/agree_evidence.txt)'
	@echo 'make agree-forged forged evidence of 20000 networks, by both checkers (test/fuzz/agree_forged.txt; FIRST and COUNT)'
	@echo 'make agree-queries queries of all kinds on 20000 (test/fuzz/agree_queries.txt)'
	@echo 'make agree-partial partial order on 100000 (test/fuzz/agree_partial.txt)'
	@echo 'make agree-slices certificates that leave out processes on 76000 (test/fuzz/agree_slices.txt)'
	@echo 'make agree-programs two evaluators on 1000000 random programs of each language (test/fuzz/agree_programs.txt, agree_lines.txt)'
	@echo 'make agree-stopwatches runs and proofs where clocks are stopped on 20000 (test/fuzz/agree_stopwatches.txt)'
	@echo 'make agree-bounds clock bounds of all kinds on 30000 (test/fuzz/agree_bounds.txt)'
	@echo 'make reproduce    the tables of the papers beside our numbers, in build/reproduce, with charts'
	@echo '                  (at most 20 minutes; TABLE=darts|local|nonconvex|orders, ONLY=pattern)'
	@echo 'make bench        measure: TABLE=instances|tchecker|best|families|speed, SIZE=small|medium|large,'
	@echo '                  PEER=path of tck-reach, SAVE=1; see bench/run and doc/notes/bench.md'
	@echo 'make corpus      check the UPPAAL models of ../shared/corpus, where it is (test/corpus/run; ONLY=pattern)'
	@echo 'make scale        the cost of a transition against clocks and zones (bench/scale)'
	@echo 'make proof        the certificate checker proved in Coq, build/proof/tarn-proved, and its tests'
	@echo '                  (needs the packages of tools/deps proof)'
	@echo 'make static       a binary without shared libraries, $(BUILD)/tarn-static'
	@echo 'make dist         the source as an archive, build/tarn-$(VERSION).tar.gz'
	@echo 'make wheel        the Python package with the library inside, in build/wheel'
	@echo 'make deb          Debian packages in build/deb: tarn, libtarn0, libtarn-dev, python3-tarn'
	@echo 'make site         the guide as a static site, build/site/index.html'
	@echo 'make fuzz-serve   damaged requests to tarn serve under the sanitizers, ten minutes (test/fuzz/serve.txt)'
	@echo 'make workbench    the page that draws, simulates and verifies: build/workbench/workbench.html'
	@echo '                  (tools/deps workbench gets what it needs); make test-workbench tests it in a browser'
	@echo 'make install      into PREFIX=$(PREFIX), below DESTDIR'
	@echo 'make format       apply clang-format; check-format only checks'
	@echo 'make clean        remove build/'
	@echo 'V=1 shows the commands; MPI=1: for several machines (tools/deps mpi), in $(patsubst build/%,build/mpi-%,$(patsubst build/mpi-%,build/%,$(BUILD)))'
	@echo 'MODE=release|debug|asan|tsan|paranoid|plain, CC=gcc|clang'

# What the library links with, for scripts that link by themselves.
libs: ; @echo $(LIBS)

# Only tarn_* stays visible in the archive, as in the shared library: the objects become
# one, in which hidden names are made local. So the command cannot reach past tarn.h.
$(BUILD)/libtarn.a: $(OBJECTS)
	$(call say,AR,$@)
	$(Q)$(LD) -r -o $(BUILD)/libtarn.o $(OBJECTS)
	$(Q)objcopy --localize-hidden $(BUILD)/libtarn.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(BUILD)/libtarn.o

$(BUILD)/libtarn.so: $(OBJECTS)
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/tarn: $(COMMAND_OBJECTS) $(BUILD)/libtarn.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(BUILD)/tarn.1: $(BUILD)/tarn
	$(call say,MAKE,$@)
	$(Q)$(BUILD)/tarn help --man >$@

# Unit tests lie in folders as the modules do; what they share lies beside the folders.
ifeq ($(MODE),planted)
# The checker's sources have no bugs on purpose: test/fuzz/plant puts them into copies.
$(BUILD)/src/check/%.o: src/check/%.c test/fuzz/plant/%.sed $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)sed -f test/fuzz/plant/$*.sed $< >$(BUILD)/src/check/$*.c
	$(Q)grep -q PLANTED $(BUILD)/src/check/$*.c
	$(Q)$(COMPILE) $(WERROR) -MMD -MP -c -o $@ $(BUILD)/src/check/$*.c
endif
define compiled
$(1)/%.o: %.c $(1)/flags
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)
	$$(Q)$$($(2)) $$(WERROR) $$(if $$(filter test/unit/%,$$<),-Itest/unit) -MMD -MP -c -o $$@ $$<

$(1)/embedded_files.o: $(1)/embedded_files.c
	$$(call say,CC,$$<)
	$$(Q)$$($(2)) -c -o $$@ $$<
endef
$(eval $(call compiled,$(BUILD),COMPILE))
ifneq ($(ORIGIN),)
$(eval $(call compiled,$(SHARED),COMPILE_SHARED))
endif

# Texts that are part of the library (src/base/embedded.h), each as one string.
EMBEDDED := $(wildcard src/output/help/*.txt src/language/gen/*.template) \
  $(addprefix models/,lamp.xta lamp.q lamp.tck fischer.xta fischer.q train-gate.xta) \
  src/output/page.html src/output/page.css src/output/run_charts.js src/output/page.js src/output/page_panels.js
$(or $(SHARED),$(BUILD))/embedded_files.c: $(EMBEDDED) src/base/embedded.h $(or $(SHARED),$(BUILD))/flags
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$(Q)( echo '#include "base/embedded.h"'; echo '#pragma GCC diagnostic ignored "-Woverlength-strings"'; \
	  echo 'const EmbeddedFile embedded_files[] = {'; for file in $(EMBEDDED); do echo "{\"$${file##*/}\","; \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n\\0"/' $$file; echo '},'; done; echo '{0, 0}};' ) >$@

# Unit tests see inside: they take from an archive of the separate objects what they use.
units: $(UNITS)

$(BUILD)/units.a: $(OBJECTS) $(UNIT_HELPERS) $(filter-out %/main.o,$(COMMAND_OBJECTS))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# Those of a folder are one program with many names, as linking takes longer than most tests: the
# name by which it is called says whose `main` to run.
%.unit: %.o
	$(Q)objcopy --redefine-sym main=$(notdir $*) $< $@

define unit_folder
$(1)units: $(patsubst %.o,%.unit,$(call objects,$(patsubst $(BUILD)/%,%.c,$(2)))) $(BUILD)/units.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(Q)( echo '#include <string.h>'; echo 'int main(int argc, char **argv) { (void)argc;'; \
	  echo 'const char *name = strrchr(argv[0], 47);'; echo 'name = name ? name + 1 : argv[0];'; \
	  for test in $(notdir $(2)); do \
	    echo "int $$$$test(void); if (!strcmp(name, \"$$$$test\")) return $$$$test();"; \
	  done; echo 'return 2; }' ) >$$@.c
	$$(Q)$$(LINK) -o $$@ $$@.c $$(filter-out %.a,$$^) $$(filter %.a,$$^) -lcmocka $$(LIBS)

$(2): $(1)units
	$$(Q)ln -f $$< $$@
endef
$(foreach folder,$(sort $(dir $(UNITS))),$(eval $(call unit_folder,$(folder),$(foreach unit,$(UNITS),$(if $(filter $(folder),$(dir $(unit))),$(unit))))))

# The random tester is a client of tarn.h, like the command.
$(BUILD)/test/fuzz/networks: $(BUILD)/test/fuzz/networks.o $(BUILD)/test/fuzz/shrink.o \
  $(BUILD)/libtarn.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# The forger of evidence sees inside: it makes networks of UPPAAL, and hashes of models.
$(BUILD)/test/fuzz/forger: $(BUILD)/test/fuzz/forger.o $(BUILD)/test/fuzz/forge.o \
  $(BUILD)/test/fuzz/second.o \
  $(BUILD)/test/fuzz/sample.o $(BUILD)/test/fuzz/uppaal_nets.o $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

# Targets of libFuzzer, for the readers.
$(BUILD)/test/fuzz/fuzz_%: $(BUILD)/test/fuzz/fuzz_%.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)

$(addprefix $(BUILD)/test/fuzz/fuzz_,xml xta q): $(BUILD)/test/fuzz/uppaal_input.o

# The same targets with a driver of our own, for any compiler.
MUTATED := $(addprefix $(BUILD)/test/fuzz/mutate_,xml xta q)
$(MUTATED): $(BUILD)/test/fuzz/mutate_%: $(BUILD)/test/fuzz/fuzz_%.o $(BUILD)/test/fuzz/mutate.o \
  $(BUILD)/test/fuzz/uppaal_input.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

fuzz-readers: ; test/fuzz/readers.sh

proof: $(BUILD)/tarn ; TARN=$(BUILD)/tarn proof/test.sh

# Thousands of random certificates and forgeries, by both checkers: FIRST and COUNT.
proof-random: proof ; proof/test/random.sh $(or $(FIRST),1) $(or $(COUNT),10000)

SEED ?= $(shell date +%s)
fuzz: $(BUILD)/test/fuzz/networks
	$(BUILD)/test/fuzz/networks --seed $(SEED)

# Rewritten only when the command line of the compiler changes; everything depends on it. Objects
# with more and with less debug information go together.
define flags
$(1)/flags: FORCE
	@mkdir -p $$(@D)
	@echo "$$(subst ",\",$$(filter-out -g -g1,$$($(2)) | $$(LDFLAGS)))" | cmp -s - $$@ || \
	  echo "$$(subst ",\",$$(filter-out -g -g1,$$($(2)) | $$(LDFLAGS)))" >$$@
endef
$(eval $(call flags,$(BUILD),COMPILE))
ifneq ($(ORIGIN),)
$(eval $(call flags,$(SHARED),COMPILE_SHARED))
endif

# A program of the library's users, and what it last said.
$(BUILD)/test/fuzz/agree $(BUILD)/test/fuzz/agree_orders $(BUILD)/test/fuzz/agree_threads \
  $(BUILD)/test/fuzz/agree_plain $(BUILD)/test/fuzz/agree_stopwatches: %: \
  %.o $(BUILD)/test/fuzz/sample.o $(BUILD)/libtarn.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# $(call record,COMMAND,> or >>,FILE): shows and keeps what it says; fails if it does.
record = $1 $2$3; status=$$?; cat $3; exit $$status

agree: $(BUILD)/test/fuzz/agree
	$(call record,$(BUILD)/test/fuzz/agree 20000,>,test/fuzz/agree.txt)

# Sees inside: the states that were reached.
$(BUILD)/test/fuzz/agree_local: $(BUILD)/test/fuzz/agree_local.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Sees inside: both evaluators.
$(BUILD)/test/fuzz/agree_programs $(BUILD)/test/fuzz/agree_lines: $(BUILD)/test/fuzz/%: $(BUILD)/test/fuzz/%.o \
		$(BUILD)/test/fuzz/programs.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

agree-programs: $(BUILD)/test/fuzz/agree_programs $(BUILD)/test/fuzz/agree_lines
	$(call record,$(BUILD)/test/fuzz/agree_programs 1000000,>,test/fuzz/agree_programs.txt)
	$(call record,$(BUILD)/test/fuzz/agree_lines 1000000,>,test/fuzz/agree_lines.txt)

agree-evidence: all $(BUILD)/test/fuzz/uppaal_print $(BUILD)/test/fuzz/copies_print
	$(call record,test/fuzz/agree_evidence.py 1 3000,>,test/fuzz/agree_evidence.txt)

agree-forged: all $(BUILD)/test/fuzz/forger $(BUILD)/test/fuzz/uppaal_print $(BUILD)/test/fuzz/copies_print
	$(MAKE) -C proof all
	$(call record,BUILD=$(BUILD) test/fuzz/agree_forged.sh $(or $(FIRST),1) $(or $(COUNT),20000),>,test/fuzz/agree_forged.txt)

agree-local: $(BUILD)/test/fuzz/agree_local
	$(call record,BUILD=$(BUILD) test/fuzz/agree_local.sh 30000,>,test/fuzz/agree_local.txt)

# Sees inside, to leave out rules of the verification.
$(BUILD)/test/fuzz/agree_symmetry: $(BUILD)/test/fuzz/agree_symmetry.o \
  $(BUILD)/test/fuzz/copies.o $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

# Its networks, for the proved checker.
$(BUILD)/test/fuzz/copies_print: $(BUILD)/test/fuzz/copies_print.o $(BUILD)/test/fuzz/copies.o \
  $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

# Networks of agree_uppaal, for the proved checker.
$(BUILD)/test/fuzz/uppaal_print: $(BUILD)/test/fuzz/uppaal_print.o $(BUILD)/test/fuzz/uppaal_nets.o \
  $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

agree-symmetry: $(BUILD)/test/fuzz/agree_symmetry
	$(call record,BUILD=$(BUILD) test/fuzz/agree_symmetry.sh 20000,>,test/fuzz/agree_symmetry.txt)

agree-orders: $(BUILD)/test/fuzz/agree_orders
	$(call record,$(BUILD)/test/fuzz/agree_orders 5000,>,test/fuzz/agree_orders.txt)

agree-stopwatches: $(BUILD)/test/fuzz/agree_stopwatches
	$(call record,$(BUILD)/test/fuzz/agree_stopwatches 20000,>,test/fuzz/agree_stopwatches.txt)

agree-threads: $(BUILD)/test/fuzz/agree_threads
	$(call record,$(BUILD)/test/fuzz/agree_threads 2000,>,test/fuzz/agree_threads.txt)

# The same program in two builds.
agree-plain:
	for mode in release plain; do \
	  $(MAKE) -s MODE=$$mode build/$$mode/test/fuzz/agree_plain || exit 1; done
	$(call record,test/fuzz/agree_plain.sh 2000,>,test/fuzz/agree_plain.txt)

# Clock bounds of all kinds, under sanitizers if MODE says so.
$(BUILD)/test/fuzz/agree_bounds: $(BUILD)/test/fuzz/agree_bounds.o \
  $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

agree-bounds: $(BUILD)/test/fuzz/agree_bounds
	$(call record,$(BUILD)/test/fuzz/agree_bounds 1 30000,>,test/fuzz/agree_bounds.txt)

# UPPAAL networks with every construct, against a search on regions.
$(BUILD)/test/fuzz/agree_uppaal: $(BUILD)/test/fuzz/agree_uppaal.o \
  $(BUILD)/test/fuzz/uppaal_nets.o $(BUILD)/test/fuzz/compare.o $(BUILD)/test/fuzz/regions.o \
  $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

agree-uppaal: $(BUILD)/test/fuzz/agree_uppaal
	$(call record,$(BUILD)/test/fuzz/agree_uppaal 1 20000,>,test/fuzz/agree_uppaal.txt)

# Random runs of UPPAAL networks, against a search on regions.
$(BUILD)/test/fuzz/agree_random: $(BUILD)/test/fuzz/agree_random.o \
  $(BUILD)/test/fuzz/uppaal_nets.o $(BUILD)/test/fuzz/regions.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

oracles: $(BUILD)/tarn
	$(call record,TARN=$(BUILD)/tarn test/oracles.sh 25000,>,test/statistics/oracles.txt)

hypotheses: $(BUILD)/tarn
	$(call record,TARN=$(BUILD)/tarn test/hypotheses.sh 2000,>,test/statistics/hypotheses.txt)

coverage: $(BUILD)/tarn
	$(call record,TARN=$(BUILD)/tarn test/coverage.sh 2000,>,test/statistics/coverage.txt)

agree-answers: $(BUILD)/tarn
	$(call record,python3 test/fuzz/agree_answers.py $(BUILD)/tarn $(or $(COUNT),10000) $(or $(SEED),7),>,test/fuzz/agree_answers.txt)

agree-chains: $(BUILD)/tarn
	$(call record,python3 test/fuzz/agree_chains.py $(BUILD)/tarn $(or $(COUNT),500) $(or $(SEED),1),>,test/fuzz/agree_chains.txt)

agree-mutants: $(BUILD)/tarn
	$(call record,python3 test/fuzz/agree_mutants.py $(BUILD)/tarn $(or $(COUNT),500) $(or $(SEED),11),>,test/fuzz/agree_mutants.txt)

agree-random: $(BUILD)/test/fuzz/agree_random
	$(call record,$(BUILD)/test/fuzz/agree_random 1 12000,>,test/fuzz/agree_random.txt)

# Networks that compare clocks with each other, against a search on regions that knows differences.
$(BUILD)/test/fuzz/agree_diagonals: $(BUILD)/test/fuzz/agree_diagonals.o \
  $(BUILD)/test/fuzz/channel_nets.o $(BUILD)/test/fuzz/compare.o $(BUILD)/test/fuzz/regions.o \
  $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

agree-diagonals: $(BUILD)/test/fuzz/agree_diagonals
	$(call record,$(BUILD)/test/fuzz/agree_diagonals 1 12000,>,test/fuzz/agree_diagonals.txt)

# Queries of all kinds against the region graph.
$(BUILD)/test/fuzz/agree_queries: $(BUILD)/test/fuzz/agree_queries.o \
  $(BUILD)/test/fuzz/regiongraph.o $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Deadlocks and liveness where channels and priorities decide what happens.
$(BUILD)/test/fuzz/agree_deadlocks: $(BUILD)/test/fuzz/agree_deadlocks.o \
  $(BUILD)/test/fuzz/regiongraph.o $(BUILD)/test/fuzz/uppaal_nets.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

agree-queries: $(BUILD)/test/fuzz/agree_queries $(BUILD)/test/fuzz/agree_deadlocks
	$(call record,$(BUILD)/test/fuzz/agree_queries 20000,>,test/fuzz/agree_queries.txt)
	$(call record,$(BUILD)/test/fuzz/agree_queries 12000 1 diagonals,>>,test/fuzz/agree_queries.txt)
	$(call record,$(BUILD)/test/fuzz/agree_deadlocks 20000,>>,test/fuzz/agree_queries.txt)

# Certificates that leave out processes.
$(BUILD)/test/fuzz/agree_slices: $(BUILD)/test/fuzz/agree_slices.o $(BUILD)/test/fuzz/uppaal_nets.o \
  $(BUILD)/test/fuzz/burst_nets.o $(BUILD)/test/fuzz/channel_nets.o $(BUILD)/test/fuzz/loose_nets.o \
  $(BUILD)/test/fuzz/regions.o $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Its networks, for others.
$(BUILD)/test/fuzz/loose_print: $(BUILD)/test/fuzz/loose_print.o $(BUILD)/test/fuzz/loose_nets.o \
  $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

agree-slices: $(BUILD)/test/fuzz/agree_slices
	$(call record,$(BUILD)/test/fuzz/agree_slices loose 20000 100001,>,test/fuzz/agree_slices.txt)
	$(call record,$(BUILD)/test/fuzz/agree_slices uppaal 20000 100001,>>,test/fuzz/agree_slices.txt)
	$(call record,$(BUILD)/test/fuzz/agree_slices channels 20000 100001,>>,test/fuzz/agree_slices.txt)
	$(call record,$(BUILD)/test/fuzz/agree_slices bursts 6000 100001,>>,test/fuzz/agree_slices.txt)
	$(call record,$(BUILD)/test/fuzz/agree_slices lines 10000 100001,>>,test/fuzz/agree_slices.txt)

# With and without partial order.
$(BUILD)/test/fuzz/agree_partial: $(BUILD)/test/fuzz/agree_partial.o \
  $(BUILD)/test/fuzz/still_nets.o $(BUILD)/test/fuzz/near_nets.o $(BUILD)/test/fuzz/burst_nets.o \
  $(BUILD)/test/fuzz/sample.o \
  $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Its networks, for the proved checker.
$(BUILD)/test/fuzz/still_print: $(BUILD)/test/fuzz/still_print.o $(BUILD)/test/fuzz/near_nets.o \
  $(BUILD)/test/fuzz/still_nets.o $(BUILD)/test/fuzz/sample.o $(BUILD)/units.a
	$(LINK) -o $@ $^ $(LIBS)

agree-partial: $(BUILD)/test/fuzz/agree_partial
	$(call record,$(BUILD)/test/fuzz/agree_partial random 20000,>,test/fuzz/agree_partial.txt)
	$(call record,$(BUILD)/test/fuzz/agree_partial still 20000,>>,test/fuzz/agree_partial.txt)
	$(call record,$(BUILD)/test/fuzz/agree_partial text 20000,>>,test/fuzz/agree_partial.txt)
	$(call record,$(BUILD)/test/fuzz/agree_partial uppaal 20000,>>,test/fuzz/agree_partial.txt)
	$(call record,$(BUILD)/test/fuzz/agree_partial near 20000,>>,test/fuzz/agree_partial.txt)

# With those of more than 100,000 nodes, and the half of the evidence that tools/test leaves out.
accepted = awk '/^ok/ { sub("/.*", ""); ok[$$2]++; next } { print; failed = 1 } \
  END { for (kind in ok) print kind ": " ok[kind] " accepted"; exit failed }'
proofs: $(BUILD)/tarn
	$(call record,TARN=$(BUILD)/tarn test/run.sh proofs-all evidence-all | $(accepted),>,test/run/proofs.txt)

# The tables of the papers beside our numbers; TABLE=darts, local, nonconvex, orders or symmetry for one.
reproduce: all ; TARN=$(BUILD)/tarn bench/reproduce $(if $(ONLY),--only '$(ONLY)') $(TABLE)

demo: ; tools/demo
test: ; tools/test --installed

# Installs nothing: the unit tests with assertions, and the golden runs.
quick:
	$(Q)$(MAKE) -s -j$(shell nproc) MODE=release all
	$(Q)$(MAKE) -s -j$(shell nproc) MODE=debug all units
	$(Q)test/quick.sh

INSTALLED := $(DESTDIR)$(PREFIX)
LIBRARIES := $(DESTDIR)$(LIBDIR)
BASH_COMPLETION := $(INSTALLED)/share/bash-completion/completions
ZSH_COMPLETION := $(INSTALLED)/share/zsh/site-functions
install: all $(BUILD)/tarn.1
	$(Q)install -d $(INSTALLED)/bin $(LIBRARIES)/pkgconfig $(INSTALLED)/include \
	  $(INSTALLED)/share/man/man1 $(INSTALLED)/share/tarn/schemas $(BASH_COMPLETION) $(ZSH_COMPLETION)
	$(Q)install -m 644 doc/schemas/*.json $(INSTALLED)/share/tarn/schemas
	$(Q)install -m 755 $(BUILD)/tarn $(INSTALLED)/bin/tarn
	$(Q)[ ! -x build/proof/tarn-proved ] || install -m 755 build/proof/tarn-proved $(INSTALLED)/bin/tarn-proved
	$(Q)[ ! -e build/workbench/workbench.html ] || install -m 644 build/workbench/workbench.html $(INSTALLED)/share/tarn/workbench.html
	$(Q)test -e $(INSTALLED)/bin/verifyta || ln -s tarn $(INSTALLED)/bin/verifyta
	$(Q)install -m 644 $(BUILD)/libtarn.a $(LIBRARIES)/libtarn.a
	$(Q)install -m 644 $(BUILD)/libtarn.so $(LIBRARIES)/libtarn.so.$(VERSION)
	$(Q)ln -sf libtarn.so.$(VERSION) $(LIBRARIES)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(LIBRARIES)/libtarn.so
	$(Q)install -m 644 src/tarn.h $(INSTALLED)/include/tarn.h
	$(Q)install -m 644 $(BUILD)/tarn.1 $(INSTALLED)/share/man/man1/tarn.1
	$(Q)$(BUILD)/tarn help --bash >$(BASH_COMPLETION)/tarn
	$(Q)$(BUILD)/tarn help --zsh >$(ZSH_COMPLETION)/_tarn
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
	  -e 's|@LIBS@|$(LIBS)|' tarn.pc.in >$(LIBRARIES)/pkgconfig/tarn.pc

uninstall:
	$(Q)rm -rf $(INSTALLED)/share/tarn/schemas
	$(Q)rm -f $(INSTALLED)/share/tarn/workbench.html
	$(Q)rmdir $(INSTALLED)/share/tarn 2>/dev/null || true
	$(Q)[ "$$(readlink $(INSTALLED)/bin/verifyta)" != tarn ] || rm $(INSTALLED)/bin/verifyta
	$(Q)rm -f $(INSTALLED)/bin/tarn $(INSTALLED)/bin/tarn-proved $(INSTALLED)/include/tarn.h $(LIBRARIES)/libtarn.a \
	  $(LIBRARIES)/libtarn.so $(LIBRARIES)/$(SONAME) \
	  $(LIBRARIES)/libtarn.so.$(VERSION) $(LIBRARIES)/pkgconfig/tarn.pc \
	  $(INSTALLED)/share/man/man1/tarn.1 $(BASH_COMPLETION)/tarn $(ZSH_COMPLETION)/_tarn

# A binary without shared libraries. libxml2 may want more of them than its name says.
STATIC_LIBS = $(LIBS) -Wl,-u,xmlNewParserCtxt,-u,xmlCtxtReadMemory,-u,xmlDocGetRootElement \
  -Wl,-u,xmlGetLineNo,-u,xmlFreeDoc,-u,xmlFreeParserCtxt \
  $(shell pkg-config --static --libs libxml-2.0) -lstdc++ -lm \
  $(if $(wildcard /usr/include/editline/readline.h),$(STATIC_EDIT))
STATIC_EDIT = -Wl,-u,readline,-u,add_history,-u,using_history $(shell pkg-config --static --libs libedit) -lmd
static: $(BUILD)/tarn-static
$(BUILD)/tarn-static: $(COMMAND_OBJECTS) $(BUILD)/libtarn.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -static -o $@ $(filter-out %/lazymath.o,$^) $(STATIC_LIBS)

# The guide as a static site; the first python3 that has what it needs.
site: $(BUILD)/tarn
	$(Q)for python in python3 /usr/bin/python3; do \
	  if $$python -c 'import markdown' 2>/dev/null; then TARN=$(BUILD)/tarn exec $$python tools/site; fi; \
	done; echo 'make site: no python3 with markdown; tools/deps site installs it' >&2; exit 1

# The workbench: the engine as WebAssembly and the page, build/workbench/dist and build/workbench/workbench.html.
# Needs what tools/deps workbench gets.
.PHONY: test-workbench agree-workbench
workbench:
	$(Q)$(MAKE) -f workbench/wasm/Makefile
	$(Q)node workbench/build.mjs
test-workbench: $(BUILD)/tarn workbench ; $(Q)test/workbench.sh --all
agree-workbench: $(BUILD)/tarn ; $(Q)node workbench/test/agree.mjs $(MODELS)

# The language service: random edits of the corpus, damaged messages under the sanitizers, all models laid out and
# converted, latency. Last results:
# test/fuzz/service.txt.
.PHONY: fuzz-edits fuzz-messages latency roundtrips
roundtrips: $(BUILD)/tarn ; $(Q)TARN=$(BUILD)/tarn test/roundtrips.sh
fuzz-edits: $(BUILD)/tarn ; $(Q)TARN_EDITS=20000 TARN_SEED=36 TARN=$(BUILD)/tarn test/service.sh
fuzz-messages: ; $(Q)$(MAKE) MODE=asan all && python3 test/messages.py build/asan/tarn $(or $(SECONDS_OF_FUZZ),600)
latency: $(BUILD)/tarn ; $(Q)python3 test/lsp_client.py $(BUILD)/tarn --latency 5000

# Damaged requests to `tarn serve` under the sanitizers. Last result: test/fuzz/serve.txt.
.PHONY: fuzz-serve
fuzz-serve: ; $(Q)$(MAKE) MODE=asan all && python3 test/serve.py build/asan/tarn --fuzz $(or $(SECONDS_OF_FUZZ),600) --seed $(or $(SEED),37)

# What an editor shows of mistakes, for the guide.
.PHONY: mistake-pictures
mistake-pictures: $(BUILD)/tarn
	$(Q)for name in mistakes.xta mistakes.xml mistakes.tck queries.q; do \
	  tools/mistakes_picture $(BUILD)/tarn doc/guide/pictures/$$name >doc/guide/pictures/$${name%.*}-$${name##*.}.svg; done

# The extension for Visual Studio Code: editors/vscode/tarn-VERSION.vsix. Needs node and npm.
.PHONY: vscode
vscode: ; $(Q)cd editors/vscode && npm ci --no-audit --no-fund && npm run -s package

# The source as an archive; the Debian packages (needs dpkg-dev).
dist: ; $(Q)tools/dist
deb: all $(BUILD)/tarn.1 ; $(Q)BUILD=$(BUILD) tools/deb
wheel: all ; $(Q)BUILD=$(BUILD) tools/wheel

format: ; clang-format -i $(FORMATTED)
check-format: ; clang-format --dry-run -Werror $(FORMATTED)
clean: ; rm -rf build

-include $(shell find $(BUILD) $(SHARED) -name '*.d' 2>/dev/null)

# Measurements, see bench/run: TABLE=instances, tchecker, best, families or speed; also SIZE, RUNS,
# LIMIT, ONLY=pattern, CPU=1, INSTRUCTIONS=1, SAVE=1, and PEER=path of TChecker's tck-reach.
.PHONY: bench scale corpus
bench: $(BUILD)/tarn $(BUILD)/bench/measure
	@TARN=$(BUILD)/tarn MEASURE=$(BUILD)/bench/measure PEER=$(PEER) bench/run \
	  $(if $(TABLE),--table $(TABLE)) $(if $(SIZE),--size $(SIZE)) $(if $(RUNS),--runs $(RUNS)) \
	  $(if $(LIMIT),--limit $(LIMIT)) $(if $(CPU),--cpu) \
	  $(if $(INSTRUCTIONS),--instructions) $(if $(SAVE),--save) $(if $(ONLY),'$(ONLY)')

# The UPPAAL models of others, with known verdicts, where there are any (test/corpus/run).
corpus: $(BUILD)/tarn
	@TARN=$(BUILD)/tarn test/corpus/run $(if $(ONLY),'$(ONLY)')

scale: $(BUILD)/tarn
	@TARN=$(BUILD)/tarn bench/scale $(if $(RUNS),--runs $(RUNS)) \
	  $(if $(INSTRUCTIONS),--instructions) $(if $(SAVE),--save)

# Sees inside, to know whose a state is (bench/shares).
$(BUILD)/bench/replay: $(BUILD)/bench/replay.o $(BUILD)/bench/record.o $(BUILD)/units.a
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

$(BUILD)/bench/measure: $(BUILD)/bench/measure.o
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $<
