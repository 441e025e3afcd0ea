"""Loops that someone else wrote: Lightning, Hugging Face's Trainer, Accelerate (extra `jobs`)."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from .conftest import line_of

HEALTHY, LEAKING = 30, 20


@pytest.mark.parametrize(
    ("framework", "holder"),
    [("lightning", "history"), ("transformers", "kept"), ("accelerate", "total")],
)
def test_counted_exactly_and_the_leak_is_found(jobs, framework, holder):
    if find_spec(framework) is None:
        pytest.skip(f'{framework} is not installed: pip install -e ".[jobs]"')
    script = f"with_{framework}.py"
    ended = jobs.run(script, str(HEALTHY), str(LEAKING), HF_HUB_OFFLINE="1")
    assert ended.code == 0, ended.err
    (process,) = ended.processes
    assert process.is_exact(HEALTHY + LEAKING)
    leak = process.the_leak()
    assert leak.kind == "graph-held"
    assert leak.since_iteration >= HEALTHY
    assert (leak.file, leak.line) == line_of(script)
    assert leak.holder.rpartition(".")[2] == holder
