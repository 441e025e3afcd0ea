"""Which stores are told to carry a graph: what is computed from a leaf does, the leaf does not."""

import os

import pytest

from gradwatch_agent.source.stored.stores import stores, variable
from gradwatch_agent.source.syntax.scopes import MODULE


@pytest.mark.parametrize(
    ("made", "fresh"),
    [
        ("torch.zeros(3)", True),
        ("torch.zeros(3, requires_grad=True)", True),
        ("torch.zeros(3).requires_grad_()", True),
        ("nn.Parameter(torch.zeros(3))", True),
        ("[leaf, plain]", True),
        ("2 * plain + 1", True),
        ("plain.clone()", True),
        ("2 * leaf + 1", False),
        ("-leaf", False),
        ("leaf.clone()", False),
        ("2 * parameter", False),
        ("plain if plain else 2 * leaf", False),
        ("leaf.detach()", True),
        ("net(plain)", False),
        ("weakref.WeakKeyDictionary()", True),
        ("ChainMap({'loss': 2 * leaf})", False),
    ],
)
def test_what_is_stored(tmp_path, made, fresh):
    file = tmp_path / "job.py"
    file.write_text(
        "leaf = torch.ones(3, requires_grad=True)\n"
        "plain = torch.ones(3, requires_grad=False)\n"
        "parameter = nn.Parameter(plain)\n"
        f"made = {made}\n"
    )
    os.utime(file, (0, 0))  # source is only read of files older than the process
    (store,) = stores([variable(str(file), MODULE, "made")], [str(file)])
    assert store.fresh is fresh
