"""Message histories as real jobs make them, and a source that delivers them without sockets.

Deterministic: the same call gives the same messages. Times count from `START`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gradwatch.model import Event, Link
from gradwatch_agent import wire

START = 1_760_000_000.0
"""When every job starts, seconds since the epoch."""
GPU = "GPU-1b1f2b1c"
CARD = "NVIDIA H100 80GB HBM3"
SCRIPT = "/home/ada/train/train.py"
SOURCE = wire.Excerpt(
    14,
    (
        "def train(epochs):",
        '    """Gradient descent on the unrolled network."""',
        "",
        "    for i in range(epochs):",
        "        for t in range(5):  # five time steps",
        "            Yest = Yest + w*X",
        "",
        "        cost = torch.mean((Y - Yest)**2)",
        '        print(f"{i}: {cost}")',
        "        optimizer.zero_grad()",
        "        cost.backward(retain_graph=True)",
    ),
)


def way(newest: int) -> tuple[wire.Step, ...]:
    """From the cost of iteration `newest` to the estimate of the one before."""
    new = [("MeanBackward0", 21), ("PowBackward0", 21), ("SubBackward0", 21)]
    new += [("AddBackward0", 19)] * 5
    steps = [wire.Step(op, newest, SCRIPT, line) for op, line in new]
    return (*steps, wire.Step("AddBackward0", newest - 1, SCRIPT, 19))


@dataclass
class FakeSource:
    """Delivers what it is given: `backlog` at the start, the rest when `feed` is called."""

    backlog: Iterable[tuple[str, Event]] = ()
    deliver: Callable[[str, Event], None] = lambda _key, _event: None
    is_running: bool = False
    starts: int = field(default=0)

    def __call__(self, deliver: Callable[[str, Event], None]) -> FakeSource:
        """So that an instance can stand as the app's `make_source`."""
        self.deliver = deliver
        return self

    def start(self) -> None:
        self.is_running = True
        self.starts += 1
        self.feed(self.backlog)

    def stop(self) -> None:
        self.is_running = False

    def feed(self, events: Iterable[tuple[str, Event]]) -> None:
        for key, event in events:
            self.deliver(key, event)


@dataclass
class Scene:
    """A job's past, message by message."""

    key: str = "1000"
    name: str = "run-7"
    host: str = "node3"
    rank: int = 0
    world_size: int = 1
    gpu: bool = True
    step_s: float = 0.08
    limit_bytes: int = 64_000_000_000
    script: str = SCRIPT
    events: list[Event] = field(default_factory=list)
    now: float = START
    number: int = -1

    def __post_init__(self) -> None:
        self.random = random.Random(self.key)
        self.events += [
            Link(up=True, at=START),
            wire.Hello(
                run=f"{self.key}-abc", job=self.name, host=self.host, pid=int(self.key),
                started=START, rank=self.rank, world_size=self.world_size, script=self.script,
                python="3.11", torch="2.13.0", agent="0.1.0",
            ),
        ]  # fmt: skip

    def step(
        self,
        *,
        new: int = 14,
        stale: int = 0,
        oldest: int | None = None,
        held: int = 0,
        live: int | None = None,
        saved_bytes: int = 560_000,
        rss_bytes: int = 512_000_000,
        slower: float = 1.0,
        retain: bool = False,
        census: bool = True,
        types: dict[str, int] | None = None,
    ) -> None:
        """One iteration: a backward, the iteration, and now and then a look at memory."""
        self.number += 1
        took_s = self.step_s * slower * (1 + 0.06 * self.random.random())
        # The first iteration warms everything up, as real ones do.
        took_s *= 12 if self.number == 0 else 1
        self.events.append(
            wire.Backward(
                at=self.now + took_s / 2, iteration=self.number, duration_s=took_s * 0.4,
                root="MeanBackward0", file=self.script, line=24, function="train",
                retain_graph=retain,
            )
        )  # fmt: skip
        self.now += took_s
        counted = {
            "reached": new + stale, "stale": stale, "oldest": oldest,
            "saved_bytes": saved_bytes, "storages": 12, "types": types or mlp(new + stale),
        }  # fmt: skip
        self.events.append(
            wire.Iteration(
                number=self.number, at=self.now, duration_s=took_s, backward_s=took_s * 0.4,
                backwards=1, built=new, live=held if live is None else live, held=held,
                **(counted if census else {}),
            )
        )  # fmt: skip
        if self.number % 5 == 0:
            self.look(rss_bytes)

    def look(self, rss_bytes: int, device_bytes: int = 41_000_000_000) -> None:
        devices = ()
        if self.gpu:
            total = 85_000_000_000
            used = device_bytes + self.random.randrange(20_000_000)
            devices = (wire.DeviceMemory(GPU, used, total, used - 10**9, used, CARD),)
        self.events.append(
            wire.Memory(
                at=self.now, iteration=max(self.number, 0),
                rss_bytes=rss_bytes + self.random.randrange(400_000), limit_kind="cgroup",
                limit_bytes=self.limit_bytes, limit_used_bytes=rss_bytes, devices=devices,
            )
        )  # fmt: skip

    def beat(self, *, share: float = 0.004, **more: object) -> None:
        self.events.append(wire.Beat(at=self.now, iteration=self.number, share=share, **more))

    def find(self, kind: str, level: wire.Level, message: str, **more: object) -> None:
        known = {
            "state": "raised", "iteration": self.number, "since_iteration": 2, "id": f"{kind}@2",
            "time": "2025-10-09T08:53:22.000Z",
        } | more  # fmt: skip
        self.events.append(
            wire.Finding(
                kind=kind, level=level, message=message,
                run=f"{self.key}-abc", job=self.name, host=self.host, pid=int(self.key),
                rank=self.rank, **known,
            )
        )  # fmt: skip

    def end(self, reason: str = "finished", error: str | None = None) -> None:
        self.events.append(wire.Bye(at=self.now, reason=reason, error=error, iteration=self.number))

    def keyed(self) -> list[tuple[str, Event]]:
        return [(self.key, event) for event in self.events]


def mlp(nodes: int) -> dict[str, int]:
    """Nodes by type, as a small network has them."""
    adds, muls = nodes * 4 // 10, nodes * 4 // 10
    return {"AddBackward0": adds, "MulBackward0": muls, "AccumulateGrad": 2, "MeanBackward0": 1}


def healthy(steps: int = 312, **more: object) -> Scene:
    scene = Scene(**more)
    for i in range(steps):
        scene.step(new=1_204, saved_bytes=48_000_000 + 40_000 * (i % 3), census=i % 4 == 0)
    scene.beat()
    return scene


def chain(steps: int = 312, **more: object) -> Scene:
    """The carried estimate: 14, 24, 34... nodes."""
    scene = Scene(**({"gpu": False, "script": SCRIPT} | more))
    for i in range(steps):
        scene.step(
            stale=10 * i, oldest=0, live=i, saved_bytes=160_000 * (i + 1), retain=True,
            rss_bytes=400_000_000 + 180_000 * i, slower=1 + i / 200,
        )  # fmt: skip
        if i == 12:
            scene.find(
                "graph-chain", "critical",
                "The loss reaches the graphs of 12 earlier iterations, +10 nodes each.",
                file=scene.script, line=19, code="Yest = Yest + w*X", holder="Yest",
                suggestion="At the start of each iteration: `Yest = Yest.detach()`; "
                "or build it anew inside the loop.",
                nodes_per_iteration=10.0, bytes_per_iteration=160_000.0, eta_iterations=1_480,
                source=SOURCE, way=way(i),
            )  # fmt: skip
    scene.find(
        "retain-needless", "info",
        "retain_graph=True was given in 300 iterations and nothing walked those graphs again.",
        since_iteration=0, file=scene.script, line=24, code="cost.backward(retain_graph=True)",
        suggestion="Leave retain_graph away.",
    )  # fmt: skip
    scene.beat()
    return scene


def held(steps: int = 312, **more: object) -> Scene:
    """`total_loss += loss` for the epoch's report."""
    scene = Scene(**({"gpu": False, "name": "report.py"} | more))
    for i in range(steps):
        scene.step(new=62, held=i, live=i, rss_bytes=400_000_000 + 30_000 * i)
    scene.find(
        "graph-held", "warning",
        "The graphs of 256 earlier iterations are kept alive, though backward is done with them "
        "and the loss does not reach them.",
        since_iteration=1, file=scene.script, line=31, code="total_loss += loss",
        holder="total_loss",
        suggestion="Add it without its graph: `total_loss += loss.detach()`, or "
        "`total_loss += loss.item()` for a plain number.",
        nodes_per_iteration=30.0,
    )  # fmt: skip
    scene.beat()
    return scene


def crashed(**more: object) -> Scene:
    """The carried estimate without retain_graph: dies in its second iteration."""
    scene = Scene(**({"gpu": False, "name": "estimate.py"} | more))
    scene.step()
    error = (
        "RuntimeError: Trying to backward through the graph a second time (or directly access "
        "saved tensors after they have already been freed)."
    )
    scene.events.append(
        wire.Backward(
            at=scene.now, iteration=1, duration_s=0.002, root="MeanBackward0",
            file=scene.script, line=24, error=error,
        )
    )  # fmt: skip
    scene.find(
        "second-backward", "critical",
        "The loss reaches nodes (MulBackward0) that were built 1 iteration earlier, in iteration "
        "0, and freed by the backward there; 10 of its 24 nodes are old.",
        since_iteration=1, file=scene.script, line=19, code="Yest = Yest + w*X", holder="Yest",
        suggestion="At the start of each iteration: `Yest = Yest.detach()`; "
        "or build it anew inside the loop.", source=SOURCE, way=way(1),
    )  # fmt: skip
    scene.beat()
    scene.end("crashed", error)
    return scene


def recurrent(steps: int = 400, **more: object) -> Scene:
    """Sequence lengths that come and go: guilty to look at, and innocent."""
    scene = Scene(**more)
    for i in range(steps):
        length = 20 + int(12 * math.sin(i / 9)) + i % 5
        scene.step(new=14 * length, saved_bytes=900_000 * length, slower=length / 20)
    scene.beat()
    return scene


def several() -> list[tuple[str, Event]]:
    """Four jobs: one of each kind."""
    lost = healthy(40, key="1003", name="toy", host="here", gpu=False)
    lost.events.append(Link(up=False, why="no beat for 3 s", at=lost.now + 3))
    scenes = [
        chain(key="1001"),
        healthy(key="1002", name="gpt-small", host="node4", rank=0, world_size=2),
        healthy(200, key="1012", name="gpt-small", host="node4", rank=1, world_size=2),
        lost,
        crashed(key="1004"),
    ]
    return [pair for scene in scenes for pair in scene.keyed()]


def ranked(ranks: int, steps: int = 40, odd: int | None = 11) -> list[tuple[str, Event]]:
    """One job on many ranks; the odd one holds more memory than the others."""
    events: list[tuple[str, Event]] = []
    for rank in range(ranks):
        scene = Scene(
            key=str(3_000 + rank), name="gpt", host=f"node{rank // 8}", rank=rank, world_size=ranks
        )
        for _ in range(steps):
            rss_bytes = 14_200_000_000 if rank == odd else 9_800_000_000
            scene.step(new=1_204, saved_bytes=48_000_000, rss_bytes=rss_bytes)
        scene.beat()
        events += scene.keyed()
    return events
