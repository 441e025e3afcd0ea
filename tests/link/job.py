"""A training job without torch: a real process with a publisher in it, driven by its stdin.

Each line is a command and its numbers; each is answered by one line on stdout.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import psutil

from gradwatch_agent import wire
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.link.publisher import Publisher
from gradwatch_agent.remains import Keeper

ROOM = 30
"""Records posted between two flushes: few enough that none is folded."""

TYPES = {f"Some{i}Backward0": i for i in range(100)}
"""One dict for all fat records, so that the journal does not grow with their number."""


class Job:
    def __init__(self, run: str, name: str, log: str) -> None:
        pid = os.getpid()
        self.hello = wire.Hello(run=run, job=name, host="here", pid=pid, started=time.time())
        self.number = self.found = 0
        self.offset = 0.0
        self.publisher = Publisher(
            hello=self.hello,
            heart=lambda now: (),
            beat=self.beat,
            log=AlertLog(Path(log)) if log else None,
            keeper=Keeper(self.hello),
            clock=self.clock_now,
            endpoint=os.environ.get("GRADWATCH_ENDPOINT"),
        )
        self.publisher.start()

    def beat(self, lost: int, rejected: int, viewers: int) -> wire.Beat:
        return wire.Beat(
            at=self.clock_now(),
            iteration=self.number - 1,
            lost=lost,
            rejected=rejected,
            viewers=viewers,
        )

    def iteration(self, **more: object) -> None:
        self.publisher.post(wire.Iteration(number=self.number, at=self.clock_now(), **more))
        self.number += 1

    def post(self, count: int) -> str:
        """Iterations, none of them folded."""
        return self._posted(count)

    def fat(self, count: int) -> str:
        """The same with 2 kB each."""
        return self._posted(count, types=TYPES)

    def _posted(self, count: int, **more: object) -> str:
        for i in range(count):
            self.iteration(**more)
            if i % ROOM == ROOM - 1 and not self.publisher.flush(10):
                return "a flush took too long"
        return "done" if self.publisher.flush(10) else "a flush took too long"

    def turns(self, count: int) -> str:
        """Fat iterations, each sent in a message of its own."""
        for _ in range(count):
            self.iteration(types=TYPES)
            if not self.publisher.flush(10):
                return "a flush took too long"
        return "done"

    def made_finding(self, since: int = 0) -> wire.Finding:
        return wire.Finding(
            kind="graph-chain",
            level="critical",
            state="raised",
            time="2024-01-01T00:00:00.000Z",
            run=self.hello.run,
            job=self.hello.job,
            host="here",
            pid=os.getpid(),
            rank=0,
            iteration=self.number,
            since_iteration=since,
            message="The loss reaches the graphs of earlier iterations.",
        )

    def finding(self) -> str:
        return self.findings(1)

    def findings(self, count: int) -> str:
        """Each tells of another beginning."""
        for _ in range(count):
            self.publisher.post(self.made_finding(self.found))
            self.found += 1
        return "done" if self.publisher.flush(10) else "a flush took too long"

    def clock(self, at: int) -> str:
        """The clock of the machine is set."""
        self.offset = at - time.time()
        return "done"

    def clock_now(self) -> float:
        return time.time() + self.offset

    def become(self, program: str) -> str:
        """Another program, by exec."""
        print(program, flush=True)
        os.execlp(program, program)

    def rss(self) -> str:
        return str(psutil.Process().memory_info().rss)

    def fork(self, how: str) -> str:
        """A child that tries to speak, and ends: at once, as Python does, or only with us."""
        child = os.fork()
        if child == 0:
            self.iteration()
            self.finding()
            self.publisher.stop(wire.Bye(at=time.time()))
            if how == "exit":
                sys.exit(0)
            if how == "stay":
                sys.stdin.close()
                signal.alarm(60)  # should nobody kill it
                signal.pause()
            os._exit(0)
        if how == "stay":
            return str(child)
        return f"ended {os.waitpid(child, 0)[1]}"

    def stop(self) -> str:
        self.publisher.stop(wire.Bye(at=time.time(), reason="finished"))
        return "done"

    def die(self) -> str:
        """Ends without any farewell, as soon as the finding is flushed."""
        self.finding()
        os._exit(1)


def main(run: str, name: str, log: str) -> None:
    job = Job(run, name, log)
    print("ready", flush=True)
    for line in sys.stdin:
        command, *words = line.split()
        print(getattr(job, command)(*[int(w) if w.isdecimal() else w for w in words]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
