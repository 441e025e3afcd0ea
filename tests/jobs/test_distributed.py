"""Jobs of two ranks: each is known by its place, counted exactly, and accused of its own leak."""

from __future__ import annotations

import pytest

from .conftest import line_of

HEALTHY, LEAKING = 30, 20
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2")


@pytest.mark.parametrize(
    ("script", "launcher", "holder"),
    [("ddp.py", TORCHRUN, "total"), ("fsdp.py", (), "losses")],
    ids=["ddp by torchrun", "fsdp2 by spawn"],
)
def test_each_rank_is_watched(jobs, script, launcher, holder):
    ended = jobs.run(script, str(HEALTHY), str(LEAKING), launcher=launcher)
    assert ended.code == 0, ended.err
    ranks = [process for process in ended.processes if process.iterations]
    assert [(r.hello.rank, r.hello.world_size) for r in ranks] == [(0, 2), (1, 2)]
    for rank in ranks:
        assert rank.is_exact(HEALTHY + LEAKING)
        leak = rank.the_leak()
        assert (leak.kind, leak.rank) == ("graph-held", rank.hello.rank)
        assert leak.since_iteration >= HEALTHY
        assert (leak.file, leak.line) == line_of(script)
        assert leak.holder == holder
