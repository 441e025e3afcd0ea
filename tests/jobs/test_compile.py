"""torch.compile: the agent changes nothing of what the compiler does, and sees what it made."""

from __future__ import annotations

from .conftest import line_of

HEALTHY, LEAKING = 30, 20


def test_no_frame_more_is_compiled_and_the_leak_is_found(jobs):
    watched = jobs.run("compiled.py", str(HEALTHY), str(LEAKING))
    alone = jobs.run("compiled.py", str(HEALTHY), str(LEAKING), GRADWATCH_OFF="1")
    assert (watched.code, alone.code) == (0, 0), watched.err + alone.err
    assert watched.out == alone.out
    assert "graph_break" in alone.out
    (process,) = watched.processes
    assert process.is_exact(HEALTHY + LEAKING)
    leak = process.the_leak()
    assert leak.since_iteration >= HEALTHY
    assert (leak.kind, leak.holder) == ("graph-held", "total")
    assert (leak.file, leak.line) == line_of("compiled.py")
