# The builds of tools/test, which share one pool of jobs: make -j2 -k -s -f test/builds.mk
#
# Prints `ok build/NAME`, or `FAIL build/NAME` and what the compiler says. Warnings are errors.
# Modes that take objects from another mode (Makefile, ORIGIN) wait for it.
fuzz = $(addprefix build/$(1)/test/fuzz/,$(2))
unit = $(addprefix build/$(1)/test/unit/,$(2))
found = $(shell command -v $(1))

# The workbench takes 75 s of processor time, 25 where ccache knows its objects: only then is there time for it. It needs
# what tools/deps workbench gets.
engine := $(and $(call found,emcc),$(findstring ccache,$(call found,clang)),$(wildcard build/workbench/downloads/xx*),$(wildcard workbench/node_modules))

.PHONY: all
all: release debug asan plain lowered planted tsan clang \
  $(if $(and $(call found,mpicc),$(call found,mpirun)),mpi) $(if $(call found,coqc),proof) $(if $(engine),workbench)

# $(call build,NAME,VARIABLES,TARGETS[,MODE TO WAIT FOR])
define build
.PHONY: $(1)
$(1): $(4)
	+@mkdir -p build && if $$(MAKE) -k -s DEBUG_INFO=-g1 WERROR=-Werror $(2) $(3) >build/$(1).log 2>&1; \
	then echo 'ok build/$(1)'; else echo 'FAIL build/$(1): make failed'; sed 's/^/    /' build/$(1).log; fi
endef
$(eval $(call build,release,,all build/release/tarn.1 build/release/units.a \
  $(call fuzz,release,agree agree_local agree_orders agree_threads agree_plain agree_symmetry agree_uppaal \
  agree_random agree_diagonals agree_queries agree_deadlocks agree_stopwatches agree_partial agree_programs agree_lines networks copies_print uppaal_print) \
  build/release/bench/measure build/release/bench/replay))
$(eval $(call build,debug,MODE=debug,all units))
$(eval $(call build,asan,MODE=asan,all units \
  $(call fuzz,asan,agree_bounds networks forger mutate_xml mutate_xta mutate_q)))
$(eval $(call build,plain,MODE=plain,all units $(call fuzz,plain,agree_plain),debug))
$(eval $(call build,lowered,MODE=lowered,all \
  $(call fuzz,lowered,agree agree_orders agree_threads agree_local agree_queries),debug))
$(eval $(call build,planted,MODE=planted,all \
  $(call fuzz,planted,agree_local agree_uppaal agree_diagonals agree_queries forger networks agree_partial agree_stopwatches) \
  $(call unit,planted,semantics/test_local semantics/test_localaction answers/test_certificate answers/test_alive),release))
$(eval $(call build,tsan,MODE=tsan,all $(call fuzz,tsan,agree_threads) $(call unit,tsan,base/test_team)))
$(eval $(call build,clang,CC=clang CFLAGS=-O1,all))
$(eval $(call build,mpi,MPI=1,all $(call fuzz,mpi-release,agree_threads) build/mpi-release/bench/measure,release))
$(eval $(call build,proof,-C proof,all))
$(eval $(call build,workbench,,workbench))
