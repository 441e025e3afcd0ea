"""A state of many rows that is written to in place, with a graph, and read again later."""

from __future__ import annotations

import pytest

_SESSIONS = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)


class Sessions(nn.Module):
    def __init__(self):
        super().__init__()
        self.items, self.cell, self.out = nn.Embedding(9, 6), nn.GRUCell(6, 6), nn.Linear(6, 9)
        self.register_buffer("users", torch.zeros(12, 6))

    def forward(self, user, item):
        new = self.cell(self.items(item), READ)
        WRITE
        return self.out(new)


sessions = Sessions()
optimizer = torch.optim.SGD(sessions.parameters(), 0.05)


def run():
    for _ in range(20):
        user, item = torch.randperm(12)[:8], torch.randint(0, 9, (8,))
        loss = nn.functional.cross_entropy(sessions(user, item), (item + 1) % 9)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


with contextlib.suppress(RuntimeError):
    run()
"""

_BY_CALL, _BY_KEY = "self.users.index_select(0, user)", "self.users[user]"

_WRITING = [
    (_BY_CALL, "self.users.index_copy_(0, user, {})"),
    (_BY_CALL, "self.users.index_put_((user,), {})"),
    (_BY_CALL, "self.users.scatter_(0, user[:, None].expand_as(new), {})"),
    (_BY_CALL, "self.users.view(-1, 6)[user] = {}"),
    (_BY_KEY, "self.users.view(-1, 6)[user] = {}"),
    (_BY_KEY, "self.users.index_copy_(dim=0, index=user, source={})"),
]


def _program(read, write):
    return _SESSIONS.replace("READ", read).replace("WRITE", write)


@pytest.mark.parametrize(("read", "write"), _WRITING)
def test_the_statement_is_the_one_that_writes(checked, read, write):
    (found,) = checked(_program(read, write.format("new"))).findings
    assert (found.kind, found.holder) == ("second-backward", "sessions.users")
    assert found.code == write.format("new")
    assert f"`{write.format('new.detach()')}`" in found.suggestion


@pytest.mark.parametrize(("read", "write"), _WRITING)
def test_which_writes_no_graph_then(checked, read, write):
    assert not checked(_program(read, write.format("new.detach()"))).findings


def test_what_is_added_to_itself_is_cut_as_a_whole(checked):
    """Cut as it is read alone, the rows would keep the graph of what is added."""
    write = "self.users.index_add_(0, user, {})"
    (found,) = checked(_program(_BY_CALL, write.format("new - self.users[user]"))).findings
    assert f"`{write.format('(new - self.users[user]).detach()')}`" in found.suggestion
