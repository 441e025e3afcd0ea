"""On a CUDA device: the agent never waits for it, changes nothing on it, and knows its memory.

Skipped where there is none. Most other tests run on one with TEST_DEVICE=cuda.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gradwatch_agent import wire
from gradwatch_agent.link.memory import MemorySampler

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")

MODEL = """
import torch
import gradwatch_agent.auto
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(32, 64, device="cuda")
"""

UNWAITED = (
    MODEL
    + """
total = torch.zeros((), device="cuda")
scale = torch.ones((), device="cuda", requires_grad=True)
torch.cuda.set_sync_debug_mode("error")
for number in range(80):
    loss = model(x).pow(2).mean() {reads}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {keeps}
torch.cuda.set_sync_debug_mode("default")
print(total.item())
"""
)
WAYS = {
    "healthy": ("", "total += loss.detach()", None),
    "held": ("", "total += loss  # the leak", "graph-held"),
    "chain": ("+ total", "total = total + scale  # the leak", "graph-chain"),
}
"""What the loss reads, what is kept, and what is found."""


@pytest.mark.parametrize("check", [False, True], ids=["live", "check"])
@pytest.mark.parametrize("way", WAYS)
def test_the_agent_never_waits_for_the_device(children, tmp_path, way, check):
    reads, keeps, kind = WAYS[way]
    text = UNWAITED.format(reads=reads, keeps=keeps)
    asked = {"GRADWATCH_CHECK": "1000", "GRADWATCH_REPORTS": str(tmp_path)} if check else {}
    ended = children.run(text, tapped=True, **asked)
    assert ended.code == 0, ended.err
    assert ended.of(wire.Beat)[-1].off == ()
    found = {f.kind: f for f in ended.findings if f.level != "info"}
    assert list(found) == ([kind] if kind else [])
    if kind:
        assert found[kind].holder == "total"
        assert found[kind].code.endswith("# the leak")


CAPTURED = (
    MODEL
    + """
def step():
    optimizer.zero_grad(set_to_none=True)
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss

aside = torch.cuda.Stream()
aside.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(aside):
    for _ in range(5):
        step()
torch.cuda.current_stream().wait_stream(aside)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    static = step()
for _ in range(100):
    x.copy_(torch.randn(32, 64, device="cuda"))
    graph.replay()
print(static.item(), *(p.double().sum().item() for p in model.parameters()))
callable = torch.cuda.make_graphed_callables(model, (x.clone(),))
for _ in range(20):
    optimizer.zero_grad()
    callable(x).pow(2).mean().backward()
    optimizer.step()
print(*(p.double().sum().item() for p in model.parameters()))
"""
)


def test_a_step_is_captured_and_replayed_as_without_the_agent(children):
    watched = children.run(CAPTURED, tapped=True)
    alone = children.run(CAPTURED, GRADWATCH_OFF="1")
    assert (watched.code, alone.code) == (0, 0), watched.err + alone.err
    assert watched.out == alone.out
    assert watched.of(wire.Beat)[-1].off == ()
    assert [f for f in watched.findings if f.level != "info"] == []


def test_a_look_tells_what_torch_and_the_driver_tell():
    kept = torch.zeros(64_000_000, dtype=torch.uint8, device="cuda:0")
    (device,) = MemorySampler().look(0.0, 0).devices
    query = "--query-gpu=uuid,name,memory.total"
    told = subprocess.run(
        ["nvidia-smi", query, "--format=csv,noheader,nounits"],
        capture_output=True,
        text=True,
        check=True,
    )
    uuid, name, total = told.stdout.splitlines()[0].split(", ")
    assert (device.uuid, device.name, device.index) == (uuid, name, 0)
    assert device.total_bytes == pytest.approx(int(total) * 2**20, rel=0.01)
    assert device.allocated_bytes == torch.cuda.memory_allocated() >= kept.numel()
    assert device.reserved_bytes == torch.cuda.memory_reserved()
    assert device.total_bytes >= device.used_bytes >= device.reserved_bytes


FULL = (
    MODEL
    + """
wide = torch.zeros(2_000_000, device="cuda", requires_grad=True)
torch.cuda.set_per_process_memory_fraction(0.02)
history = []
while True:
    loss = model(x).pow(2).mean() + (wide.exp() * wide).sum()
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    history.append(loss)  # the leak
"""
)


def test_a_job_that_runs_out_of_memory_has_been_told_why(children, tmp_path):
    asked = {"GRADWATCH_CHECK": "100000", "GRADWATCH_REPORTS": str(tmp_path)}
    ended = children.run(FULL, **asked)
    assert ended.code == 1
    assert "OutOfMemoryError" in ended.err
    found = {f.kind: f for f in ended.findings if f.level != "info"}
    assert list(found) == ["graph-held"], found
    assert (found["graph-held"].level, found["graph-held"].holder) == ("critical", "history")
    assert "Memory ran out in iteration" in ended.err


TWICE = (
    MODEL
    + """
first = model(x).mean()
first.backward()
optimizer.step()
second = model(x).mean() + first
second.backward()
"""
)


def test_the_error_explains_itself(children):
    ended = children.run(TWICE)
    assert ended.code == 1
    assert [f.kind for f in ended.findings if f.level != "info"] == ["second-backward"]
    assert "gradwatch" in ended.err
    assert "first" in ended.err


CLIMB = """
import torch
from torch import nn

model = nn.Linear(64, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
outputs = []
for number in range(400):
    x = torch.randn(4_000, 64, device="cuda")
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    outputs.append(x * 2)
    torch.cuda.synchronize()
"""


def test_what_fills_the_device_is_named(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(CLIMB)
    check = [sys.executable, "-m", "gradwatch", "check", "--iterations=1000", str(script)]
    done = subprocess.run(check, capture_output=True, text=True, cwd=tmp_path, check=False)
    told = done.stdout + done.stderr
    assert "memory-climb" in told
    assert "outputs" in told
    assert Path(script).name in told
