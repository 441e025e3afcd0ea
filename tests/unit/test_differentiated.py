"""What a program asks gradients of: once it is detached it is to be a leaf again."""

from __future__ import annotations

import os

import pytest

from gradwatch_agent.source.gradients.differentiated import differentiated


@pytest.mark.parametrize(
    "asked",
    [
        "fast",
        "(slow, fast)",
        "self.fast",
        "list(fast)",
        "tuple(self.fast.values())",
        "[self.fast[k] for k in names]",
        "[w for w in fast.values()]",
    ],
)
def test_what_gradients_are_asked_for_is_known_in_whatever_form(tmp_path, asked):
    script = tmp_path / "adapt.py"
    script.write_text(f"grads = torch.autograd.grad(loss, {asked}, create_graph=True)\n")
    os.utime(script, (1_000_000_000, 1_000_000_000))  # older than the process: its text is read
    assert "fast" in differentiated([str(script)])
    assert "loss" not in differentiated([str(script)])
