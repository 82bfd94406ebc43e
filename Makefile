# make                 build/linalgd, linalgd-bench, linalgd-call and the library
#                      liblinalgd-lapack.so
# make mpi             build/linalgd-mpi, for which MPI and ScaLAPACK are needed
# make run             install what is missing, build, serve on 127.0.0.1:8080
# make test            install what is missing, build, run every test
# make check           the unit and accuracy tests alone
# make coverage        which branches of codecs, admission and journal tests take
# make lint            warnings as errors, one-way includes, kernels by clang
# make api             api/openapi.yaml and .json, from base.yaml and the tables,
#                      and the pages of docs/operations
# make sanitize fuzz   the same under ASan and UBSan; the fuzzers, shortly
# make replay          what can be made of the fuzzers' seeds, and memory fails
# make explore         every order of events in the queue, up to a number of them
# make soak            a million jobs; what the processes hold must not grow
# make chaos           clients that misbehave, workers that die, under sanitizers
# make torture         SIGKILL and restarts under load: no accepted job is lost
# make faults          every call that can fail fails once, in turn
# make bench           our kernels and OpenBLAS's and SciPy's, interleaved
# make bench-service   this service and one in Python, interleaved
# make install         programs, manual, completion, units (make uninstall)
# make deb             a Debian package, in build/deb
# make image           the container's image, with Docker
# make clean
#
# B is the build directory; CC, CFLAGS, PREFIX, DESTDIR are yours to set, and for
# install UNITDIR, SYSUSERSDIR and ZSHDIR, too.
# make Q= shows the commands.

B       ?= build
Q       ?= @
PREFIX  ?= /usr/local
VERSION := 0.1.0
DATE    := 2026-11-23

CFLAGS   ?= -O2 -g
CXXFLAGS ?= -O2 -g
WERROR   ?=
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wno-overlength-strings
CWARN    := $(WARN) -Wstrict-prototypes -Wmissing-prototypes $(WERROR)
override CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -I. -I$(B)/gen -Isrc \
                     -Ikernels -I/usr/include/postgresql -MMD -MP
override CFLAGS   += -std=c17 -pthread $(CWARN)
override CXXFLAGS += -std=c++17 -fno-exceptions -fno-rtti $(WARN)
LIBS     := -lmicrohttpd -ljansson -linih -lnettle -lsqlite3 -lpq -lzip -lz -lzstd -lOpenCL -lstdc++ -lm -pthread

# The routines of the BLAS that LAPACK finds in our programs: see
# src/ops/lapack/escape.h.
EXPORTS := -Wl,--dynamic-list=src/ops/lapack/exported.list

MPI_SRC := $(wildcard src/mpi/*.c)
SRC     := $(filter-out $(MPI_SRC),$(sort $(shell find src -mindepth 2 -name '*.c')))
BENCH_SRC := $(wildcard bench/*.c bench/rows/*.c)
CALL_SRC := $(wildcard clients/call/*.c)
LAPACK_SRC := $(wildcard clients/lapack/*.c)
KERNELS := $(sort $(shell find kernels -name '*.cl'))
KERNEL_HEADERS := $(shell find kernels -name '*.h')

# The objects of these folders of src.
lib     = $(patsubst %,$(B)/%.o,$(filter $(addprefix src/,$(addsuffix /%,$1)),$(SRC))) \
          $(B)/src/base/number.o
OBJ     := $(SRC:%=$(B)/%.o) $(B)/src/main.c.o $(B)/src/base/number.o
COMPUTING := base wire matrix format device ops

all: $(B)/linalgd $(B)/linalgd-bench $(B)/linalgd-call $(B)/liblinalgd-lapack.so

$(B)/linalgd: $(OBJ)
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) $^ $(LIBS) -o $@

$(B)/linalgd-bench: $(BENCH_SRC:%=$(B)/%.o) $(call lib,$(COMPUTING) worker check tune) \
                 $(B)/src/command/pick.c.o
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) $^ $(LIBS) -o $@

$(B)/linalgd-call: $(CALL_SRC:%=$(B)/%.o) $(call lib,base) $(B)/src/wire/sheet_text.c.o
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -lcurl -ljansson -linih -lstdc++ -lm -pthread -o $@

# Without errno sqrt() is one instruction, also of several numbers at a time.
$(B)/src/ops/lapack/complex_types.c.o: override CFLAGS += -fno-math-errno

# Several processes as one device (docs/cluster.md). The daemon is not linked with
# MPI. The operations' tables bring all that runs them on OpenCL devices.
MPI_FLAGS = $(addprefix -isystem ,$(shell mpicc --showme:incdirs))
MPI_LIBS  = $(shell mpicc --showme:link)

$(MPI_SRC:%=$(B)/%.o): override CPPFLAGS += $(MPI_FLAGS)

$(B)/linalgd-mpi: $(MPI_SRC:%=$(B)/%.o) $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -lscalapack-openmpi $(MPI_LIBS) -llapack -lblas -ljansson -linih -lzip -lz -lzstd -lOpenCL -lstdc++ -lm -pthread -o $@

mpi: $(B)/linalgd-mpi

# The library's objects, of which only the functions marked EXPORT are visible.
PIC := -fPIC -fvisibility=hidden

$(B)/pic/%.c.o: %.c
	@mkdir -p $(@D)
	@echo $(CC) -fPIC $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(PIC) -c $< -o $@

$(B)/liblinalgd-lapack.so: $(patsubst %,$(B)/pic/%.o,$(LAPACK_SRC) src/base/text.c)
	@echo link $@
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,-z,defs $^ -lcurl -lm -pthread -o $@

$(B)/%.c.o: %.c | $(B)/gen/kernels.inc
	@mkdir -p $(@D)
	@echo $(CC) $<
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(B)/%.o: %.cc
	@mkdir -p $(@D)
	@echo $(CXX) $<
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -c $< -o $@

# Every program of a kernel file becomes a C string, with its headers in place,
# and every kernel's name a row that says which program it is in.
$(B)/gen/kernels.inc: $(KERNELS) $(KERNEL_HEADERS) kernels/embed.sh \
                      kernels/programs.sh
	@mkdir -p $(@D)
	$(Q)sh kernels/embed.sh $(KERNELS) > $@.tmp && mv $@.tmp $@
$(B)/src/device/program.c.o: $(B)/gen/kernels.inc

# The kernels' names alone, in their order, for the front.
$(B)/gen/kernel_names.inc: $(B)/gen/kernels.inc
	$(Q)sed '1,/kernel_places/d; s/^{ \(".*"\),.*/\1,/; /^}/d' $< > $@
$(B)/src/queue/tally.c.o: $(B)/gen/kernel_names.inc

# api/openapi.yaml and .json, which the service answers, as C string literals.
PAGES := $(B)/gen/openapi_yaml.inc $(B)/gen/openapi_json.inc

$(PAGES): $(B)/gen/openapi_%.inc: api/openapi.%
	@mkdir -p $(@D)
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@
$(B)/src/http/pages.c.o: $(PAGES)

# The page for browsers, whose files the service answers.
PAGE_FILES := $(shell find src/page -type f)

$(B)/gen/page.inc: $(PAGE_FILES)
	@mkdir -p $(@D)
	$(Q)sh src/page/embed.sh src/page > $@.tmp && mv $@.tmp $@
$(B)/src/http/files.c.o: $(B)/gen/page.inc

# The program that makes openapi.yaml.
$(B)/openapi: $(patsubst %,$(B)/%.o,$(wildcard api/*.c)) $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -ljansson -linih -lzip -lz -lzstd -lOpenCL -lstdc++ -lm -pthread -o $@

# --- tests

OPS_SRC  := $(sort $(shell find tests/ops -mindepth 2 -name '*.c')) \
            $(addprefix tests/ops/,ahead.c blocks.c board.c cancelled.c compile.c complex.c complex_lapack.c complex_range.c \
                         cut.c gang.c halves.c launches.c memory.c need.c notes.c programs.c sliced.c steps.c wiped.c) \
            tests/ops_main.c
UNIT_SRC := $(filter-out $(OPS_SRC) tests/small_main.c tests/fleet/wrong_clock.c tests/fuzz/% tests/model/% tests/faults/% tests/torture/%,$(shell find tests -name '*.c'))
CHECK    := -lcheck -lsubunit -lrt -lm

# Calls that can be made to fail: see tests/faults/faulty.c.
FAULTY  := $(patsubst %,$(B)/%.o,$(wildcard tests/faults/faulty*.c))
WRAPPED := malloc calloc realloc reallocarray strdup asprintf getline \
           memfd_create ftruncate fallocate mmap mremap pipe2 socketpair \
           accept4 pthread_create open openat fopen read write pwrite fwrite \
           fclose fsync fdatasync rename renameat mkdir fdopendir readdir \
           unsetenv beat_start
comma   := ,
WRAPS   := $(WRAPPED:%=-Wl$(comma)--wrap=%)

$(B)/test-unit: $(UNIT_SRC:%=$(B)/%.o) $(filter-out $(B)/bench/bench.c.o,$(BENCH_SRC:%=$(B)/%.o)) \
                 $(call lib,$(COMPUTING) journal queue fleet http worker check tune) \
                 $(B)/src/command/pick.c.o $(FAULTY)
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) $(WRAPS) $^ $(LIBS) $(CHECK) -o $@

$(B)/test-ops: $(OPS_SRC:%=$(B)/%.o) $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) -Wl,--wrap=_mark_point \
	    -Wl,--wrap=clEnqueueNDRangeKernel $^ -llapacke -llapack -lblas -ljansson -linih -lzip -lz -lzstd -lOpenCL -lstdc++ $(CHECK) -pthread -o $@

$(B)/test-small: $(B)/tests/small_main.c.o $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) $^ -ljansson -linih -lzip -lz -lzstd -lOpenCL -lstdc++ -lm -pthread -o $@

# The engine among fakes, which tests/model/fakes.c and leases.c define.
FAKED := $(patsubst %,$(B)/src/%.c.o,base/loop base/clock wire/call_send queue/supervisor \
             queue/spawn queue/worker_log)

$(B)/test-model: $(patsubst %,$(B)/%.o,$(wildcard tests/model/*.c) src/fleet/leased.c src/fleet/record.c) \
                 $(filter-out $(FAKED),$(call lib,$(COMPUTING) journal queue))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) -Wl,--wrap=log_with $^ -ljansson -linih -lsqlite3 -lzip -lz -lzstd -lOpenCL -lstdc++ -lm -pthread -o $@

# The daemon with such calls, and a layer between it and OpenCL that makes calls
# fail, too: see tests/faults/cl_layer.c.
$(B)/faulty/linalgd: $(OBJ) $(FAULTY)
	@mkdir -p $(@D)
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(EXPORTS) $(WRAPS) $^ $(LIBS) -o $@

$(B)/faulty/cl_layer.so: tests/faults/cl_layer.c tests/faults/faults.h
	@mkdir -p $(@D)
	@echo link $@
	$(Q)gcc -shared -fPIC $(CPPFLAGS) -O2 -g -std=c17 $(CWARN) $< -o $@

# Libraries that launch kernels of their own: one that writes wherever it can, one
# that leaves something in local memory.
$(B)/scribble.so $(B)/leftovers.so: $(B)/%.so: tests/torture/%.c
	@mkdir -p $(@D)
	@echo link $@
	$(Q)gcc -shared -fPIC $(CPPFLAGS) -O2 -g -std=c17 $(CWARN) $< -lOpenCL -o $@

TESTS := $(addprefix $(B)/,linalgd openapi test-unit test-ops test-small test-model) \
         $(if $(shell command -v mpicc 2>/dev/null),$(B)/linalgd-mpi)

# --- the manual and the completion of shells, made of what the programs say of
# themselves

TABLES := $(B)/manual/tables
MANUAL := $(addprefix $(B)/manual/,linalgd.1 linalgd-call.1 linalgd-bench.1 \
                       linalgd.conf.5 linalgd.bash _linalgd linalgd.conf)

$(TABLES): $(B)/linalgd $(B)/linalgd-bench $(B)/linalgd-call docs/manual/tables.sh
	@mkdir -p $(@D)
	$(Q)sh docs/manual/tables.sh $< > $@

$(B)/manual/%: docs/manual/%.in docs/manual/roff.awk $(TABLES)
	$(Q)awk -v version=$(VERSION) -v date=$(DATE) -f docs/manual/roff.awk \
	    $(TABLES) $< > $@

$(B)/manual/linalgd-%.1: $(TABLES)
	$(Q)echo .so man1/linalgd.1 > $@

$(B)/manual/linalgd.bash: docs/manual/linalgd.bash.in docs/manual/bash.awk $(TABLES)
	$(Q)awk -f docs/manual/bash.awk $(TABLES) $< > $@

$(B)/manual/_linalgd: docs/manual/zsh.awk $(TABLES)
	$(Q)awk -f docs/manual/zsh.awk $(TABLES) > $@

# The configuration file as it is installed sets what the service is to have,
# whatever the defaults of the program.
$(B)/manual/linalgd.conf: docs/manual/sample.awk $(TABLES)
	$(Q)awk -v set='listen=127.0.0.1:8080 drain-delay=5' \
	    -f docs/manual/sample.awk $(TABLES) > $@

manual: $(MANUAL)

# --- what a user types

run:
	@sh deploy/packages.sh build
	@$(MAKE) --no-print-directory -j"$$(nproc)" all
	exec $(B)/linalgd serve

# The other packages for tests are installed by tests/run, beside the tests that
# do not need them.
test:
	@sh deploy/packages.sh check
	@$(MAKE) --no-print-directory -j"$$(nproc)" WERROR=-Werror all build-tests
	@sh tests/run

# The programs of TESTS, which depend on the packages that are installed: `make
# test` installs them first, and so cannot name the programs itself.
build-tests: $(TESTS)

check: $(TESTS)
	@sh tests/run unit operations apart

lint: $(B)/gen/kernels.inc $(B)/gen/kernel_names.inc $(PAGES) $(B)/gen/page.inc $(B)/openapi
	@sh tests/lint

api: $(B)/openapi
	@sh tests/schema/venv
	$(B)/openapi > $(B)/gen/openapi.yaml
	$(B)/venv/bin/python api/json_of.py < $(B)/gen/openapi.yaml > $(B)/gen/openapi.json
	cp $(B)/gen/openapi.yaml $(B)/gen/openapi.json api
	$(Q)sh api/pages.sh $(B)/openapi docs/operations

# The unit tests and the daemon under ASan and UBSan, then under TSan.
# The first build's objects carry what fuzzers need, too. To compile them without
# optimization takes half of the time. Reports need no more than lines.
ASAN := -O0 -gline-tables-only -fno-omit-frame-pointer \
        -fsanitize=fuzzer-no-link,address,undefined \
        -fno-sanitize-recover=undefined
TSAN := -O0 -gline-tables-only -fsanitize=thread

# Makes targets in the directory $1 with the options $2.
sanitized = $(MAKE) -s -j2 B=$1 CC=clang CXX=clang++ CFLAGS='$2' CXXFLAGS='$2' \
            LDFLAGS='$2' WERROR=-Werror
build_asan = $(call sanitized,$(B)/asan,$(ASAN))
build_tsan = $(call sanitized,$(B)/tsan,$(TSAN))

build-sanitized:
	@+$(build_asan) $(B)/asan/linalgd $(B)/asan/test-unit
	@+$(build_tsan) $(B)/tsan/linalgd $(B)/tsan/test-unit

# `short` leaves most tests of several hosts out, as `make test` does.
SANITIZE ?= full

sanitize: build-sanitized
	@sh tests/sanitize $(B)/asan $(B)/tsan $(SANITIZE)

# Every sequence of so many steps of the queue, for so many seconds of processor
# time at most for each scenario.
EXPLORE_STEPS   ?= 12
EXPLORE_SECONDS ?= 60

explore: $(B)/test-model
	$(B)/test-model $(EXPLORE_STEPS) $(EXPLORE_SECONDS)

# As many jobs of all kinds as this, for so many seconds at most.
SOAK_JOBS    ?= 1000000
SOAK_SECONDS ?= 600

soak: $(B)/linalgd
	tests/soak/run $(B)/linalgd $(SOAK_JOBS) $(SOAK_SECONDS)

# Everything that can go wrong at once, for so many seconds on each build, and
# so many ends by SIGTERM under load.
CHAOS_SECONDS ?= 150
CHAOS_ROUNDS  ?= 20

chaos: all build-sanitized
	@sh tests/chaos/all $(CHAOS_SECONDS) $(CHAOS_ROUNDS) $(B) $(B)/asan $(B)/tsan

# What is accepted must not get lost, whatever is killed: at most 30
# minutes, or less than one with TORTURE=short.
TORTURE ?= full

torture: $(B)/linalgd $(B)/scribble.so $(B)/leftovers.so
	@tests/torture/all $(B)/linalgd $(TORTURE)

# Each FAULTS_EVERY-th of the calls that can fail fails once.
FAULTS_EVERY ?= 1
FAULTS_PARTS ?=

faults:
	@+$(build_asan) $(B)/asan/faulty/linalgd $(B)/asan/faulty/cl_layer.so
	@sh tests/faults/all $(B)/asan $(FAULTS_EVERY) $(FAULTS_PARTS)

# Every fuzzer for FUZZ_SECONDS, from an empty corpus.
FUZZ_SECONDS ?= 10
FUZZERS      := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

$(FUZZERS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/%.c.o $(call lib,$(COMPUTING) journal queue fleet http)
	@mkdir -p $(@D)
	@echo link $@
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined $^ $(LIBS) -o $@

# The fuzzers of formats without libFuzzer, on what can be made of their seeds:
# see tests/fuzz/replay.c.
REPLAYS := $(addprefix fuzz_,decoder json mm multipart npy npz tensors writers)
STARVED := malloc calloc realloc reallocarray strdup

$(REPLAYS:%=$(B)/replay/%): $(B)/replay/%: $(B)/tests/fuzz/%.c.o $(B)/tests/fuzz/replay.c.o \
                            $(call lib,$(COMPUTING) journal queue fleet http)
	@mkdir -p $(@D)
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $(STARVED:%=-Wl$(comma)--wrap=%) $^ $(LIBS) -o $@

replay:
	@+$(build_asan) $(REPLAYS:%=$(B)/asan/replay/%)
	@tests/fuzz/replays $(B)/asan/replay $(REPLAYS)

fuzz:
	@+$(build_asan) $(FUZZERS:%=$(B)/asan/fuzz/%)
	@sh tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS:%=$(B)/asan/fuzz/%)

# The share of branches that the unit tests and some of the integration tests
# take, in what a client's bytes reach first.
COVERAGE := -O0 -g --coverage

.PHONY: coverage
coverage:
	@sh deploy/packages.sh coverage
	@$(MAKE) -s -j2 B=$(B)/coverage CFLAGS='$(COVERAGE)' \
	    CXXFLAGS='$(COVERAGE)' LDFLAGS=--coverage \
	    $(B)/coverage/linalgd $(B)/coverage/linalgd-call \
	    $(B)/coverage/test-unit $(REPLAYS:%=$(B)/coverage/replay/%)
	@sh tests/coverage $(B)/coverage $(REPLAYS)

# Peers are programs of their own, spoken to over a pipe or HTTP; none is
# linked in. A virtual environment holds what the Python service needs.
PEER_FILES := $(addprefix $(B)/bench/,peer.py scipy_peer.py cuda_peer.py \
                                      service.py gpu_service.py load.lua)
PEERS := $(B)/bench/openblas $(PEER_FILES)

$(B)/bench/openblas: bench/peers/openblas.c bench/peers/calls.h \
                     bench/peers/decompose.h bench/wire.h
	@mkdir -p $(@D)
	$(Q)gcc -std=gnu17 -I. $(CWARN) -O3 -march=native -ffast-math -fopenmp \
	    $< -llapacke -lopenblas -lm -o $@

$(B)/bench/%.py: bench/peers/%.py
	@mkdir -p $(@D)
	$(Q)cp -p $< $@

$(B)/bench/%.lua: bench/%.lua
	@mkdir -p $(@D)
	$(Q)cp -p $< $@

$(B)/bench/venv/installed: bench/peers/requirements.txt
	@mkdir -p $(@D)
	$(Q)/usr/bin/python3 -m venv $(@D)
	$(Q)$(@D)/bin/pip install -q -r $< && touch $@

BENCH := env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE POCL_AFFINITY=1 \
         $(B)/linalgd bench

bench:
	@sh deploy/packages.sh test
	@$(MAKE) --no-print-directory all $(PEERS)
	$(BENCH)

bench-service:
	@sh deploy/packages.sh test
	@$(MAKE) --no-print-directory all $(PEERS) $(B)/bench/venv/installed
	$(BENCH) --suite service

# --- what is installed, and where: FILE=PATH

UNITDIR     ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
ZSHDIR      ?= $(PREFIX)/share/zsh/site-functions
LIBDIR      := $(PREFIX)/lib/linalgd
DOCDIR      := $(PREFIX)/share/doc/linalgd

PROGRAMS := $(foreach p,linalgd linalgd-bench linalgd-call,$(B)/$p=$(PREFIX)/bin/$p)
FILES    := $(foreach p,linalgd.1 linalgd-bench.1 linalgd-call.1, \
                $(B)/manual/$p=$(PREFIX)/share/man/man1/$p) \
            $(B)/manual/linalgd.conf.5=$(PREFIX)/share/man/man5/linalgd.conf.5 \
            $(foreach p,linalgd linalgd-bench linalgd-call, \
                $(B)/manual/linalgd.bash=$(PREFIX)/share/bash-completion/completions/$p) \
            $(B)/manual/_linalgd=$(ZSHDIR)/_linalgd \
            $(B)/units/linalgd.service=$(UNITDIR)/linalgd.service \
            deploy/linalgd.socket=$(UNITDIR)/linalgd.socket \
            deploy/linalgd.sysusers=$(SYSUSERSDIR)/linalgd.conf \
            $(B)/liblinalgd-lapack.so=$(LIBDIR)/liblinalgd-lapack.so \
            $(B)/manual/linalgd.conf=$(DOCDIR)/examples/linalgd.conf \
            $(foreach p,$(wildcard deploy/monitoring/*), \
                $p=$(DOCDIR)/examples/$(notdir $p)) \
            $(foreach p,README.md LICENSE $(wildcard docs/*.md),$p=$(DOCDIR)/$p)

# The unit names the programs where they are installed.
$(B)/units/linalgd.service: deploy/linalgd.service FORCE
	@mkdir -p $(@D)
	$(Q)sed 's|/usr/local/bin/|$(PREFIX)/bin/|' $< > $@

# $(call put,MODE,PAIRS)
put = for pair in $2; do \
          install -D -m $1 "$${pair%%=*}" "$(DESTDIR)$${pair\#*=}" || exit; \
      done

install-programs: all
	$(Q)$(call put,755,$(PROGRAMS))

install: install-programs manual $(B)/units/linalgd.service
	$(Q)$(call put,644,$(FILES))

install-mpi: mpi
	$(Q)$(call put,755,$(B)/linalgd-mpi=$(PREFIX)/bin/linalgd-mpi)

uninstall:
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/linalgd-mpi
	$(Q)for pair in $(PROGRAMS) $(FILES); do rm -f "$(DESTDIR)$${pair#*=}"; done
	$(Q)rmdir $(addprefix $(DESTDIR)$(DOCDIR),/docs /examples /) \
	    $(DESTDIR)$(LIBDIR) 2>/dev/null || true

# The package is built of a copy of the sources. DEB_OBJECTS names a build
# directory whose objects it takes instead of compiling its own.
deb:
	@sh deploy/packages.sh deb
	@sh deploy/deb.sh $(B)/deb $(DEB_OBJECTS)

IMAGE ?= linalgd

image:
	docker build -t $(IMAGE) .

clean:
	rm -rf $(B)

.PHONY: all mpi run test build-tests check lint api build-sanitized sanitize chaos faults torture fuzz bench \
        bench-service explore soak manual install-programs install install-mpi uninstall deb image \
        clean FORCE
.DELETE_ON_ERROR:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
