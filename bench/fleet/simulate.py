#!/usr/bin/python3
"""simulate.py [--cores C...] [--job-ms T...] - how a fleet grows: hosts, their claims and one PostgreSQL server, simulated.

The protocol is that of docs/scale.md: a job arrives at any host; if that host has no free device for it, every host is
notified; a host that has a free device and no claim under way claims; it looks once a second in any case, and renews its leases
at a third of their time. The database's statements take
processor time (COSTS) and share its cores. Prints, for 10, 100 and 1,000 hosts, the jobs a second that end, how long a job
waits for its claim, and which statements keep the database busy. What the simulation leaves out: the network, disks, and
clients' own connections."""
import argparse
import collections
import heapq
import random

# Milliseconds of processor time of PostgreSQL 15's backends on one core of an AMD EPYC, each statement repeated by pgbench for 4 s;
# wake: for each listener of a notification, of 60.
COSTS = {"accept": 0.40, "wake": 0.027, "empty claim": 0.03, "claim": 0.48, "claimed job": 0.01, "end": 0.42, "renew": 0.55}
DEVICES = 8                 # of a host
LEASE = 30.0
LOAD = 0.7                  # the share of the devices that arriving jobs would keep busy
SECONDS = 10.0


class Database:
    """Cores that serve statements in the order of their arrival; busy: processor seconds by kind of statement."""

    def __init__(self, cores):
        self.free = [0.0] * cores
        self.busy = collections.Counter()

    def run(self, now, kind, ms):
        """The time at which the statement has ended."""
        begun = max(now, heapq.heappop(self.free))
        self.busy[kind] += ms / 1e3
        heapq.heappush(self.free, begun + ms / 1e3)
        return begun + ms / 1e3


class Host:
    def __init__(self):
        self.running, self.claiming, self.hinted = 0, False, False
        self.quiet = 0                          # jobs accepted here, for which a device is free, and not claimed yet


class Fleet:
    def __init__(self, hosts, cores, job_s, rng):
        self.database, self.hosts, self.job_s, self.rng = Database(cores), [Host() for _ in range(hosts)], job_s, rng
        self.waiting = collections.deque()      # when each was accepted
        self.events, self.order, self.waits, self.ended = [], 0, [], 0

    def at(self, time, what, *arguments):
        self.order += 1
        heapq.heappush(self.events, (time, self.order, what, arguments))

    def arrive(self, now):
        rate = LOAD * DEVICES * len(self.hosts) / self.job_s
        self.at(now + self.rng.expovariate(rate), self.arrive)
        self.at(self.database.run(now, "accept", COSTS["accept"]), self.accepted)

    def accepted(self, now):
        """The host that accepts the job claims it if it has a free device. Else every host is woken; one that has a claim under way
        only notes it."""
        self.waiting.append(now)
        front = self.rng.choice(self.hosts)
        if front.running + front.quiet < DEVICES:
            front.quiet, front.hinted = front.quiet + 1, True
            self.claim(now, front)
            return
        woken = [h for h in self.hosts if not h.hinted]
        if woken:
            then = self.database.run(now, "wake", COSTS["wake"] * len(woken))
            for h in woken:
                h.hinted = True
                self.at(then, self.claim, h)

    def claim(self, now, host):
        if host.claiming or host.running >= DEVICES:
            return
        host.claiming, host.hinted, host.quiet = True, False, 0
        jobs = min(DEVICES - host.running, len(self.waiting))
        taken = [self.waiting.popleft() for _ in range(jobs)]
        kind = "claim" if jobs else "empty claim"
        cost = COSTS[kind] + COSTS["claimed job"] * jobs
        self.at(self.database.run(now, kind, cost), self.claimed, host, taken)

    def claimed(self, now, host, taken):
        host.claiming = False
        host.running += len(taken)
        for accepted in taken:
            self.waits.append(now - accepted)
            self.at(now + self.rng.expovariate(1 / self.job_s), self.computed, host)
        if host.hinted or taken:
            self.claim(now, host)

    def computed(self, now, host):
        host.running -= 1
        self.at(self.database.run(now, "end", COSTS["end"]), self.recorded)
        self.claim(now, host)

    def recorded(self, now):
        self.ended += 1

    def look(self, now, host):
        self.at(now + 1, self.look, host)
        self.claim(now, host)

    def renew(self, now, host):
        self.at(now + LEASE / 3, self.renew, host)
        self.database.run(now, "renew", COSTS["renew"])

    def run(self):
        self.at(0, self.arrive)
        for h in self.hosts:
            self.at(self.rng.random(), self.look, h)
            self.at(self.rng.random() * LEASE / 3, self.renew, h)
        while self.events[0][0] < SECONDS:
            now, _, what, arguments = heapq.heappop(self.events)
            what(now, *arguments)


def row(hosts, cores, job_ms):
    f = Fleet(hosts, cores, job_ms / 1e3, random.Random(1))
    f.run()
    waits = sorted(f.waits)
    busy = sum(f.database.busy.values())
    shares = ", ".join(f"{kind} {100 * s / busy:.0f} %" for kind, s in f.database.busy.most_common(3))
    wanted = LOAD * DEVICES * hosts / (job_ms / 1e3)
    print(f"| {hosts} | {job_ms:g} | {cores} | {wanted:.0f} | {f.ended / SECONDS:.0f} | {1e3 * waits[len(waits) // 2]:.1f} | "
          f"{1e3 * waits[len(waits) * 99 // 100]:.0f} | {100 * min(1, busy / SECONDS / cores):.0f} % | {shares} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cores", type=int, nargs="*", default=[2, 16])
    parser.add_argument("--job-ms", type=float, nargs="*", default=[100, 1000])
    a = parser.parse_args()
    print("| hosts | ms a job | cores | jobs/s that arrive | that end | claimed after ms, median | 99 of 100 | database busy | with |")
    print("|---|---|---|---|---|---|---|---|---|")
    for hosts in 10, 100, 1000:
        for job_ms in a.job_ms:
            for cores in a.cores:
                row(hosts, cores, job_ms)


if __name__ == "__main__":
    main()
