-- load.lua - wrk sends one body over and over, and tells what it saw.
--
--     wrk -s load.lua URL -- BODY-FILE CONTENT-TYPE ACCEPT
--
-- Its last line is for `linalgd bench`: times in microseconds, failures
-- being answers other than 2xx and broken connections.
local request_text

function init(args)
	local file = assert(io.open(args[1], "rb"))
	local headers = { ["Content-Type"] = args[2], ["Accept"] = args[3] }
	request_text = wrk.format("POST", nil, headers, file:read("*a"))
	file:close()
end

function request()
	return request_text
end

function done(summary, latency)
	local e = summary.errors
	io.write(string.format(
		"load: requests %d duration %d p50 %d p99 %d failures %d\n",
		summary.requests, summary.duration, latency:percentile(50),
		latency:percentile(99),
		e.connect + e.read + e.write + e.status + e.timeout))
end
