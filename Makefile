# make                 build/linalgd and build/linalgd-bench
# make run             install what is missing, build, serve on 127.0.0.1:8080
# make test            install what is missing, build, run every test
# make check           the unit and accuracy tests alone
# make lint            warnings as errors, one-way includes, kernels by clang
# make api             api/openapi.yaml and .json, from base.yaml and the tables
# make sanitize fuzz   the same under ASan and UBSan; the fuzzers, shortly
# make chaos           clients that misbehave, workers that die, under sanitizers
# make bench           our kernels and OpenBLAS's and SciPy's, interleaved
# make bench-service   this service and one in Python, interleaved
# make install clean
#
# B is the build directory; CC, CFLAGS, PREFIX, DESTDIR are yours to set.
# make Q= shows the commands.

B       ?= build
Q       ?= @
PREFIX  ?= /usr/local
VERSION := 0.1.0

CFLAGS   ?= -O2 -g
CXXFLAGS ?= -O2 -g
WARN     := -Wall -Wextra -Wpedantic -Wshadow -Wno-overlength-strings
CWARN    := $(WARN) -Wstrict-prototypes -Wmissing-prototypes
override CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -I. -I$(B)/gen -Isrc \
                     -Ikernels -MMD -MP
override CFLAGS   += -std=c17 -pthread $(CWARN)
override CXXFLAGS += -std=c++17 -fno-exceptions -fno-rtti $(WARN)
LIBS     := -lmicrohttpd -ljansson -lnettle -lzip -lz -lOpenCL -lstdc++ -lm -pthread

SRC     := $(sort $(shell find src -mindepth 2 -name '*.c'))
BENCH_SRC := $(wildcard bench/*.c bench/rows/*.c)
KERNELS := $(sort $(shell find kernels -name '*.cl'))
KERNEL_HEADERS := $(shell find kernels -name '*.h')

# The objects of these folders of src.
lib     = $(patsubst %,$(B)/%.o,$(filter $(addprefix src/,$(addsuffix /%,$1)),$(SRC))) \
          $(B)/src/base/number.o
OBJ     := $(SRC:%=$(B)/%.o) $(B)/src/main.c.o $(B)/src/base/number.o
COMPUTING := base wire matrix format device ops

all: $(B)/linalgd $(B)/linalgd-bench

$(B)/linalgd: $(OBJ)
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

$(B)/linalgd-bench: $(BENCH_SRC:%=$(B)/%.o) $(call lib,$(COMPUTING) worker check tune) \
                 $(B)/src/command/pick.c.o
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

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

# The program that makes openapi.yaml.
$(B)/openapi: $(patsubst %,$(B)/%.o,$(wildcard api/*.c)) $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -ljansson -lzip -lz -lOpenCL -lstdc++ -lm -pthread -o $@

# --- tests

OPS_SRC  := $(sort $(shell find tests/ops -mindepth 2 -name '*.c')) \
            $(addprefix tests/ops/,compile.c cut.c halves.c need.c programs.c) \
            tests/ops_main.c
UNIT_SRC := $(filter-out $(OPS_SRC) tests/small_main.c tests/fuzz/%,$(shell find tests -name '*.c'))
CHECK    := -lcheck -lsubunit -lrt -lm

$(B)/test-unit: $(UNIT_SRC:%=$(B)/%.o) $(filter-out $(B)/bench/bench.c.o,$(BENCH_SRC:%=$(B)/%.o)) \
                 $(call lib,$(COMPUTING) queue http worker check tune) \
                 $(B)/src/command/pick.c.o
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) $(CHECK) -o $@

$(B)/test-ops: $(OPS_SRC:%=$(B)/%.o) $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -llapacke -llapack -lblas -ljansson -lzip -lz -lOpenCL -lstdc++ $(CHECK) -pthread -o $@

$(B)/test-small: $(B)/tests/small_main.c.o $(call lib,$(COMPUTING))
	@echo link $@
	$(Q)$(CC) $(LDFLAGS) $^ -ljansson -lzip -lz -lOpenCL -lstdc++ -lm -pthread -o $@

TESTS := $(B)/linalgd $(B)/openapi $(B)/test-unit $(B)/test-ops $(B)/test-small

# --- what a user types

run:
	@sh deploy/packages.sh build
	@$(MAKE) --no-print-directory -j"$$(nproc)" all
	exec $(B)/linalgd serve

test:
	@sh deploy/packages.sh test
	@$(MAKE) --no-print-directory -j"$$(nproc)" all $(TESTS)
	@sh tests/run

check: $(TESTS)
	@sh tests/run unit operations

lint: $(B)/gen/kernels.inc $(B)/gen/kernel_names.inc $(PAGES) $(B)/openapi
	@sh tests/lint

api: $(B)/openapi
	@sh tests/schema/venv
	$(B)/openapi > $(B)/gen/openapi.yaml
	$(B)/venv/bin/python api/json_of.py < $(B)/gen/openapi.yaml > $(B)/gen/openapi.json
	cp $(B)/gen/openapi.yaml $(B)/gen/openapi.json api

# The unit tests and the daemon under ASan and UBSan, then under TSan.
ASAN := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
        -fno-sanitize-recover=undefined
TSAN := -O1 -g -fsanitize=thread

build-sanitized:
	@$(MAKE) -s -j2 B=$(B)/asan CC=clang CXX=clang++ CFLAGS='$(ASAN)' \
	    CXXFLAGS='$(ASAN)' LDFLAGS='$(ASAN)' $(B)/asan/linalgd $(B)/asan/test-unit
	@$(MAKE) -s -j2 B=$(B)/tsan CC=clang CXX=clang++ CFLAGS='$(TSAN)' \
	    CXXFLAGS='$(TSAN)' LDFLAGS='$(TSAN)' $(B)/tsan/linalgd $(B)/tsan/test-unit

sanitize: build-sanitized
	@sh tests/sanitize $(B)/asan $(B)/tsan

# Everything that can go wrong at once, for so many seconds on each build, and
# so many ends by SIGTERM under load.
CHAOS_SECONDS ?= 150
CHAOS_ROUNDS  ?= 20

chaos: all build-sanitized
	@sh tests/chaos/all $(CHAOS_SECONDS) $(CHAOS_ROUNDS) $(B) $(B)/asan $(B)/tsan

# Every fuzzer for FUZZ_SECONDS, from an empty corpus.
FUZZ_SECONDS ?= 10
FUZZ         := -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
                -fno-sanitize-recover=undefined
FUZZERS      := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

$(FUZZERS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/tests/fuzz/%.c.o $(call lib,$(COMPUTING) queue)
	@mkdir -p $(@D)
	@echo link $@
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined $^ -ljansson -lzip -lz -lOpenCL -lstdc++ -lm -pthread -o $@

fuzz:
	@$(MAKE) -s -j2 B=$(B)/fuzzers CC=clang CXX=clang++ CFLAGS='$(FUZZ)' \
	    CXXFLAGS='$(FUZZ)' $(FUZZERS:%=$(B)/fuzzers/fuzz/%)
	@sh tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS:%=$(B)/fuzzers/fuzz/%)

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

install: all
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(B)/linalgd $(B)/linalgd-bench

clean:
	rm -rf $(B)

.PHONY: all run test check lint api build-sanitized sanitize chaos fuzz bench \
        bench-service install clean
.DELETE_ON_ERROR:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
