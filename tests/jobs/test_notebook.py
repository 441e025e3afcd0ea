"""A notebook: cells of a real Jupyter kernel (extra `jobs`)."""

from __future__ import annotations

import pytest

from .ran import Ran

jupyter_client = pytest.importorskip(
    "jupyter_client", reason='no Jupyter: pip install -e ".[jobs]"'
)
pytest.importorskip("ipykernel", reason='no ipykernel: pip install -e ".[jobs]"')

CELLS = [
    "import gradwatch_agent.auto",
    """
import torch
torch.set_num_threads(1)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = []

def step(keep):
    loss = model(torch.randn(3, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss if keep else loss.item())
""",
    "for _ in range(30):\n    step(keep=False)",
    "for _ in range(20):\n    step(keep=True)",
]


@pytest.fixture(scope="module")
def kernel(jobs) -> Ran:
    lines, environment = jobs.environment()
    manager, client = jupyter_client.manager.start_new_kernel(env=environment)
    try:
        for cell in CELLS:
            reply = client.execute_interactive(cell, timeout=60, allow_stdin=False)
            assert reply["content"]["status"] == "ok", reply["content"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    (process,) = jobs.said(lines)
    return process


def test_cells_are_counted_exactly_and_the_leak_is_found(kernel):
    assert kernel.is_exact(50)
    leak = kernel.the_leak()
    assert (leak.kind, leak.holder) == ("graph-held", "losses")
    assert leak.since_iteration >= 30


@pytest.mark.xfail(
    strict=True,
    reason="the stores into a notebook's name are looked for in the cell that runs, not in those "
    "that define the functions",
)
def test_the_line_is_in_the_cell_that_defines_the_function(kernel):
    leak = kernel.the_leak()
    assert leak.code == "losses.append(loss if keep else loss.item())"
    assert leak.line == 13
