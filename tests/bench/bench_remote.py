"""What distance costs. Run by hand: `python tests/bench/bench_remote.py`.

How long a record takes from the job to the viewer over the private socket, over TCP with keys
and, where sshd is installed, over ssh; how soon `watch` tells of a job there, and `attach` shows
it; and what a hundred viewers, one of them stopped, cost the job's posts.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from gradwatch.sources import keys
from gradwatch.sources.here import Here
from gradwatch.sources.host import Host
from gradwatch.sources.live import Live
from gradwatch.sources.place import Place
from gradwatch.sources.port import Port
from gradwatch.sources.targets import Far
from gradwatch_agent import runfile, wire
from gradwatch_agent.link.publisher import Publisher

sys.path.insert(0, str(Path(__file__).parents[1]))
from link import sshd, terminal

ROUNDS = 60
OPENINGS = 9
POSTS = 4_000
CROWD = Path(__file__).parents[1] / "link" / "crowd.py"


def job() -> Publisher:
    publisher = Publisher(
        hello=wire.Hello(run="bench", job="bench", host="here", pid=os.getpid(), started=0.0),
        heart=lambda now: (),
        beat=lambda lost, rejected, viewers: wire.Beat(at=time.time(), viewers=viewers),
        log=None,
        endpoint="tcp://127.0.0.1:0",
    )
    publisher.start()
    return publisher


def latency_ms(publisher: Publisher, place: Place) -> float:
    """From a flush, which sends at once, to the viewer's thread; the median."""
    came, took = threading.Event(), []

    def deliver(key: str, event: object) -> None:
        if isinstance(event, wire.Backward | wire.Hello):
            came.set()

    viewer = Live(deliver, places=[place])
    viewer.start()
    came.wait(20)
    time.sleep(1)
    for number in range(ROUNDS):
        came.clear()
        publisher.post(wire.Backward(at=0.0, iteration=number))
        start = time.perf_counter()
        publisher.flush(10)
        came.wait(10)
        took.append(time.perf_counter() - start)
    viewer.stop()
    return statistics.median(took) * 1e3


def openings_s(target: str) -> list[float]:
    """From the command's start to the first frame that shows the job, in order of length."""
    took = []
    for _ in range(OPENINGS):
        start = time.perf_counter()
        with terminal.opened("attach", target) as shown:
            shown.shows(terminal.DRAWN, b"bench", b"live")
            took.append(time.perf_counter() - start)
            terminal.leave(shown)
            shown.end()
    return sorted(took)


def post_us(publisher: Publisher) -> float:
    record, best = wire.Iteration(number=1, at=0.0), float("inf")
    for _ in range(9):
        publisher.flush(10)
        start = time.perf_counter()
        for _ in range(POSTS):
            publisher.post(record)
        best = min(best, (time.perf_counter() - start) / POSTS)
    return best * 1e6


def over_ssh(publisher: Publisher, folder: Path) -> None:
    os.environ["GRADWATCH_SSH"] = f"ssh -F {folder}/config"
    host = Host(Far("node3"), [])
    host.start(prompts=False)
    print(f"ssh              {latency_ms(publisher, host):8.2f} ms")
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "gradwatch", "watch", "ssh://node3"], stderr=subprocess.PIPE
    ) as watch:
        watch.stderr.readline()
        print(f"... to the first word {time.perf_counter() - start:5.2f} s")
        watch.terminate()
    for target in ("ssh://node3/bench", "bench"):
        took = openings_s(target)
        print(f"attach {target:17} {statistics.median(took):5.2f} s, at most {took[-1]:5.2f} s")


def main(folder: Path) -> None:
    os.environ["GRADWATCH_RUN_DIR"] = str(folder / "far" / "gradwatch")
    os.environ["GRADWATCH_KEYS"] = str(folder / "keys")
    key = keys.make(folder / "keys", "viewer")
    server = sshd.Sshd(folder) if sshd.PROGRAM else None
    publisher = job()
    print(f"private socket   {latency_ms(publisher, Here()):8.2f} ms")
    port = Port(runfile.running()[0].tcp, keys.read(key))
    print(f"TCP with keys    {latency_ms(publisher, port):8.2f} ms")
    if server:
        over_ssh(publisher, folder)
        server.stop()
    print(f"a post, nobody watches   {post_us(publisher):6.2f} us")
    with (
        subprocess.Popen(
            [sys.executable, str(CROWD), "99"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as crowd,
        subprocess.Popen(
            [sys.executable, "-m", "gradwatch", "watch"], stderr=subprocess.PIPE
        ) as stopped,
    ):
        crowd.stdout.readline()
        stopped.stderr.readline()
        stopped.send_signal(signal.SIGSTOP)
        print(f"... 100 do, 1 is stopped {post_us(publisher):6.2f} us")
        stopped.kill()
        crowd.kill()
    publisher.stop(wire.Bye(at=time.time()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="gw") as base:
        main(Path(base))
