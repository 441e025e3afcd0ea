"""What torch refuses in a job's own statement is told there, and what is suggested is tried."""

from __future__ import annotations

import contextlib
import inspect
import pkgutil
import re

import pytest

from . import refused
from .cases import changed, marked, name_of, places, unload
from .refused.common import batches, net, train

JOBS = places(refused, lambda function: " | " in (function.__doc__ or ""))


def crash_of(watching, job):
    """What is told of the exception that ends it."""
    with contextlib.suppress(Exception), watching() as said:
        job()
    found = [each for each in said.findings if each.kind == "crashed"]
    return found[0] if found else None


def cured(job, found, cure: str):
    lines, first = inspect.getsourcelines(job)
    code = re.findall(r"`([^`]+)`", found.suggestion)[-1 if cure == "replaced" else 0]
    at = found.line - first
    indent = re.match(" *", lines[at])[0]
    if cure == "replaced":
        lines[at] = f"{indent}{code}\n"
    elif cure == "under":
        lines[at : at + 1] = [f"{indent}{code}\n", f"    {lines[at]}"]
    else:
        lines[at : at + 1] = [f"{indent}{code}\n", lines[at]]
    return changed(job, lines)


@pytest.mark.parametrize("place", JOBS, ids=name_of)
def test_the_statement_the_name_and_the_cure(watching, monkeypatch, place):
    job = pkgutil.resolve_name(place)
    unload(refused, monkeypatch, but=job.__module__)
    name, cure = job.__doc__.split(" | ")
    found = crash_of(watching, job)
    assert found is not None
    assert (found.file, found.line) in marked(job), (found.line, found.code, found.message)
    assert name in ("-", found.holder)
    assert found.suggestion
    assert "exception" not in found.message
    if cure != "words":
        cured(job, found, cure)()


def test_the_weights_that_data_parallel_training_waits_for_are_named(forked):
    ended = forked.run(
        """
import tempfile, torch, gradwatch_agent.auto
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.aux, self.head = nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(4, 1)
    def forward(self, batch):
        return self.head(self.body(batch))

with tempfile.NamedTemporaryFile() as shared:
    distributed.init_process_group("gloo", "file://" + shared.name, rank=0, world_size=1)
    net = DistributedDataParallel(Net())
    for _ in range(3):
        net(torch.ones(2, 4)).mean().backward()
""",
        tapped=True,
    )
    (found,) = ended.findings
    assert (found.kind, found.holder) == ("crashed", "aux.weight")
    assert found.code == "net = DistributedDataParallel(Net())"
    assert "`aux.weight`, `aux.bias`" in found.message
    assert "`net = DistributedDataParallel(Net(), find_unused_parameters=True)`" in found.suggestion
    assert "change: " in ended.err  # under the traceback, too


def test_what_python_says_of_other_things_stays_as_it_is(watching):
    def of_none():
        train(net(), batches(1)[0])
        None.missing  # noqa: B018

    assert "NoneType" in crash_of(watching, of_none).message
