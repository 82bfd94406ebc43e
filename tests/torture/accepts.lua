-- accepts.lua - wrk submits small asynchronous jobs, each under a key of its own.
--
--     wrk -s accepts.lua URL -- PREFIX-OF-KEYS PAUSE
--
-- Before each request a client waits for up to twice PAUSE milliseconds.
-- Its last line: times in microseconds; failures are answers other than 2xx and
-- broken connections.
local serial, prefix = 0, ""
local threads, pause = 0, 0

function setup(thread)
	thread:set("prefix", string.format("%d-", threads))
	threads = threads + 1
end

function init(args)
	prefix = args[1] .. "-" .. prefix
	pause = tonumber(args[2])
end

function delay()
	return math.random(0, 2 * pause)
end

function request()
	serial = serial + 1
	return wrk.format("POST", "/matmul", {
		["Content-Type"] = "application/json",
		["Prefer"] = "respond-async",
		["Idempotency-Key"] = prefix .. serial,
	}, '{"a":[[1,2],[3,4]],"b":[[5,6],[7,8]]}')
end

function done(summary, latency)
	local e = summary.errors
	io.write(string.format(
		"accepts: requests %d duration %d p50 %d p99 %d failures %d\n",
		summary.requests, summary.duration, latency:percentile(50),
		latency:percentile(99),
		e.connect + e.read + e.write + e.status + e.timeout))
end
