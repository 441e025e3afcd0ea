"""Whether anybody may call a function, by the source."""

from __future__ import annotations

import os

import pytest

from gradwatch_agent.source.flow.calls import may_run

LAYER = "class Layer:\n    def cut(self):\n        self.h = self.h.detach()\n"


@pytest.mark.parametrize(
    ("more", "on", "runs"),
    [
        ("", (), False),
        ("net.second.cut()", (), True),
        ("net.second.cut()", ("first",), False),
        ("net.first.cut()", ("first", "encoder"), True),
        ("for layer in net.layers: layer.cut()", ("first",), True),
        ("net.layers[0].cut()", ("first",), True),
        ("net.apply(cut)", ("first",), True),
        ("after_each_batch.append(net.first.cut)", ("first",), True),
        ("getattr(layer, 'cut')()", ("first",), True),
    ],
)
def test_whether_a_method_is_called(tmp_path, more, on, runs):
    file = tmp_path / "job.py"
    file.write_text(f"{LAYER}\n{more}\n")
    os.utime(file, (0, 0))
    assert may_run("cut", [str(file)], on) is runs


@pytest.mark.parametrize("name", ["on_batch_end", "__call__", "forward"])
def test_what_others_call_may_run(name):
    assert may_run(name, [])


def test_what_is_decorated_may_run(tmp_path):
    file = tmp_path / "job.py"
    file.write_text(LAYER.replace("    def", "    @each_batch\n    def"))
    os.utime(file, (0, 0))
    assert may_run("cut", [str(file)])
