"""What a training process says, and what may be asked of it: the message types alone.

Fields are only ever added, each with a default: see the package. None can be part of a cycle, and
so none is the garbage collector's business (gc=False): a viewer keeps a hundred thousand of them.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

Level: TypeAlias = Literal["info", "warning", "critical"]
LEVELS: Final[tuple[Level, ...]] = ("info", "warning", "critical")

State: TypeAlias = Literal["raised", "updated", "resolved"]

Call: TypeAlias = Literal["backward", "grad"]


class Hello(msgspec.Struct, tag="hello", omit_defaults=True, frozen=True, gc=False):
    """Who is speaking. `started` is in seconds since the epoch, `budget` a share of wall time."""

    run: str
    job: str
    host: str
    pid: int
    started: float
    rank: int = 0
    world_size: int = 1
    script: str = ""
    python: str = ""
    torch: str = ""
    agent: str = ""
    budget: float = 0.01
    attached: bool = False
    """The agent came into the process while it ran: what began before is unknown."""


class Iteration(msgspec.Struct, tag="iteration", omit_defaults=True, frozen=True, gc=False):
    """One iteration, or `count` neighbouring ones folded into one record.

    `number` is that of the last iteration covered, counted from 0. Durations are means per
    iteration, in seconds; counts and bytes are those of the last iteration. None: not measured
    in this iteration (a census did not run).
    """

    number: int
    at: float
    """End of the iteration, seconds since the epoch."""
    duration_s: float = 0.0
    backward_s: float = 0.0
    """Time inside the autograd engine."""
    backwards: int = 0
    built: int = 0
    """Autograd nodes built during the iteration (leaves not counted)."""
    reached: int | None = None
    """Nodes its roots reach, gradient accumulators included."""
    stale: int | None = None
    """Of those, nodes built in earlier iterations."""
    oldest: int | None = None
    """The oldest iteration whose nodes are reached."""
    proven: int | None = None
    """The earliest iteration in which some of the stale nodes were already seen by the agent."""
    live: int = 0
    """Earlier generations of which at least one marked node still lives."""
    held: int = 0
    """Of those, the ones already backwarded (spent) and not reached by this iteration."""
    saved_bytes: int | None = None
    """Memory that saved tensors keep for backward, each storage once, parameters not counted."""
    storages: int | None = None
    """Number of those storages."""
    types: dict[str, int] | None = None
    """Reached nodes by type, e.g. {"MulBackward0": 5}."""
    outdated: bool = False
    """A parameter below the stale nodes was changed since they were first seen."""
    unused: int | None = None
    """Of the nodes built, those that no backward of the iteration reached."""
    dead: int | None = None
    """Earlier generations of which a never backwarded graph is kept that no backward can use."""
    retained: int = 0
    """Backwards that retained the graph, though no other one walked it."""
    uncleared: int = 0
    """Optimizers that stepped with gradients which nobody had cleared since the step before."""
    collected: bool = False
    """A full garbage collection ran just before `live` and `held` were read."""
    count: int = 1
    lane: int = 0
    """Which training thread of the process; 0 is the first one seen."""


class Backward(msgspec.Struct, tag="backward", omit_defaults=True, frozen=True, gc=False):
    """One call into the autograd engine. `at` is its start, seconds since the epoch."""

    at: float
    iteration: int
    duration_s: float = 0.0
    call: Call = "backward"
    root: str = ""
    """Type of the root node, e.g. "MeanBackward0"."""
    roots: int = 1
    file: str | None = None
    line: int | None = None
    function: str | None = None
    retain_graph: bool = False
    create_graph: bool = False
    error: str | None = None
    """Type and message of the exception the engine raised, if it did."""
    skipped: int = 0
    """Calls just before this one that were not sent one by one, to bound the traffic."""
    lane: int = 0


class DeviceMemory(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """Memory of one device, in bytes: the whole device's use, and this process's allocator.

    Known by the UUID that its driver gives it; `index` is torch's, of those the process may see.
    """

    uuid: str
    used_bytes: int | None = None
    total_bytes: int | None = None
    allocated_bytes: int | None = None
    reserved_bytes: int | None = None
    name: str = ""
    index: int = 0


class Memory(msgspec.Struct, tag="memory", omit_defaults=True, frozen=True, gc=False):
    """One look at memory, in bytes. `at` in seconds since the epoch."""

    at: float
    iteration: int
    rss_bytes: int = 0
    peak_rss_bytes: int = 0
    limit_bytes: int | None = None
    """What the process may use: the cgroup's limit, else the machine's memory."""
    limit_used_bytes: int | None = None
    """What is used against that limit, by everything it counts."""
    limit_kind: str = ""
    """"cgroup" or "machine"."""
    allocated_bytes: int | None = None
    """Torch's allocator, all devices."""
    reserved_bytes: int | None = None
    devices: tuple[DeviceMemory, ...] = ()


class Excerpt(msgspec.Struct, frozen=True, gc=False):
    """Lines of the user's source as the job read them; `first` is the number of the first."""

    first: int
    lines: tuple[str, ...]


class Step(msgspec.Struct, omit_defaults=True, frozen=True, gc=False):
    """A node on the way from the loss into an earlier iteration."""

    op: str
    """Its type, e.g. "MulBackward0"."""
    iteration: int | None = None
    """In which it was built."""
    file: str | None = None
    line: int | None = None
    """Where it was made; None if that was not noted."""
    skipped: int = 0
    """Nodes between the step before and this one that are not told."""


class Finding(msgspec.Struct, tag="finding", omit_defaults=False, frozen=True, gc=False):
    """What is wrong, since when, where, who holds it, what to change. See CONTRACT in README.

    Always carries every field: null says "not known", and `message` says why where it matters.
    """

    kind: str
    level: Level
    state: State
    time: str
    """RFC 3339, UTC."""
    run: str
    job: str
    host: str
    pid: int
    rank: int
    iteration: int
    since_iteration: int
    message: str
    file: str | None = None
    line: int | None = None
    code: str | None = None
    holder: str | None = None
    suggestion: str | None = None
    nodes_per_iteration: float | None = None
    bytes_per_iteration: float | None = None
    eta_iterations: int | None = None
    id: str = ""
    """The same for all states of one finding within a run."""
    source: Excerpt | None = None
    """The lines around `line`; the viewer may have no such file."""
    way: tuple[Step, ...] = ()
    """From the loss to the first node of an earlier iteration."""


class Beat(msgspec.Struct, tag="beat", omit_defaults=True, frozen=True, gc=False):
    """The agent lives. Not journaled: its frame carries the newest journaled number."""

    at: float
    iteration: int = -1
    share: float = 0.0
    """Share of wall time the agent took lately."""
    agent_s: float = 0.0
    """Time the agent took since it started, in seconds."""
    lost: int = 0
    """Records dropped before they could be journaled."""
    rejected: int = 0
    """Requests from watchers that were not understood."""
    off: tuple[str, ...] = ()
    """Parts of the agent that failed and were switched off."""
    viewers: int = 0


class Bye(msgspec.Struct, tag="bye", omit_defaults=True, frozen=True, gc=False):
    """The agent ends: "finished" (interpreter exit), "stopped" (by hand) or "crashed"."""

    at: float
    reason: str = "finished"
    error: str | None = None
    iteration: int = -1


class Replay(msgspec.Struct, tag="replay", omit_defaults=True, frozen=True, gc=False):
    """A watcher asks for the frames numbered `since` to `upto`, both included."""

    since: int
    upto: int


Message: TypeAlias = Hello | Iteration | Backward | Memory | Finding | Beat | Bye
