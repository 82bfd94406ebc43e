# shellcheck shell=sh
# sanitizers.sh - sourced: how programs with sanitizers are run.

# sanitizer_options BUILD: the exported options, with lists of faults that are
# not linalgd's, written to that directory. PoCL's compiler leaks on a cold
# cache; some of its leaks show only the allocator in libstdc++, which no source
# of linalgd calls. libzip asks for the local time on several threads; the C
# library guards its time zone by a lock that TSan does not see; nor does it see
# how OpenBLAS's threads hand over what they computed. Libraries are named, not
# functions, since a machine may lack the C library's symbols. TSan sleeps for a
# second at the end of a process unless it is told otherwise, and most tests have
# a process each.
sanitizer_options() {
	lists=$(cd "$1" && pwd)
	printf 'leak:%s\n' libpocl libLLVM libOpenCL libstdc++ >"$lists/leaks"
	printf 'race:%s\n' libzip libopenblas >"$lists/races"
	# LeakSanitizer traces its process, which the sandbox forbids.
	export LINALGD_SANDBOX=off
	export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
	export LSAN_OPTIONS="suppressions=$lists/leaks:print_suppressions=0"
	export TSAN_OPTIONS="halt_on_error=0:exitcode=66:atexit_sleep_ms=20:suppressions=$lists/races"
}
