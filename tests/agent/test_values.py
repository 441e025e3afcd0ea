"""How long a loop of the user's will be, read from live frames; none of his code runs."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.utils.data import (
    ConcatDataset,
    DataLoader,
    Dataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    TensorDataset,
)

from gradwatch_agent.naming.lengths import length

EPOCHS = 7


@dataclass
class Config:
    steps: int = 50
    data: dict = field(default_factory=lambda: {"train": [0] * 30})

    @property
    def forbidden(self):
        raise AssertionError("code of the user's was run")


class Loud(list):
    def __len__(self):
        raise AssertionError("code of the user's was run")


class Rows(Dataset):
    def __init__(self, count):
        self.rows = torch.zeros(count, 2)

    def __len__(self):
        return len(self.rows)


class Table(Dataset):
    def __init__(self, count):
        self.rows = np.zeros((count, 2))

    def __len__(self):
        return len(self.rows)


class Counted(Dataset):
    count = 25

    def __len__(self):
        return self.count


class Endless(Dataset):
    def __len__(self):
        return len(self)


class Computed(Dataset):
    def __len__(self):
        raise AssertionError("code of the user's was run")


LOADERS = {
    "plain": DataLoader(TensorDataset(torch.zeros(50, 2)), batch_size=8),
    "dropping": DataLoader(Rows(50), batch_size=8, shuffle=True, drop_last=True),
    "counted": DataLoader(Counted(), batch_size=10, shuffle=True),
    "table": DataLoader(Table(50), batch_size=8, shuffle=True),
    "part": DataLoader(Subset(Rows(50), range(20)), batch_size=8),
    "of_two": DataLoader(ConcatDataset([Rows(5), Counted()]), batch_size=8),
    "drawn": DataLoader(Rows(50), batch_size=5, sampler=RandomSampler(Rows(50), num_samples=15)),
    "listed": DataLoader(list(range(9)), batch_size=2),
    "endless": DataLoader(Endless(), batch_size=2, sampler=SequentialSampler(Endless())),
    "computed": DataLoader(Computed(), batch_size=2, sampler=SequentialSampler(Computed())),
}


def asked(expression: str, **options) -> float:
    """From a function that has some locals, as training code has."""
    config, opts, sizes = Config(), SimpleNamespace(n=12), {"epochs": 9}
    loud, deep = Loud([1, 2, 3]), SimpleNamespace(config=config)
    rows = torch.zeros(40, 2)
    _ = config, opts, sizes, loud, deep, rows
    code = asked.__code__
    tree = ast.parse(expression, mode="eval").body
    return length(tree, code.co_filename, code.co_firstlineno, **options)


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("range(10)", 10),
        ("range(2, 20, 3)", 6),
        ("range(EPOCHS)", 7),
        ("range(config.steps)", 50),
        ("range(opts.n * 2 - 1)", 23),
        ("range(sizes['epochs'])", 9),
        ("range(len(config.data['train']))", 30),
        ("range(deep.config.steps)", 50),
        ("tqdm(range(config.steps), desc='x')", 50),
        ("config.data['train']", 30),
        ("loud", 3),
        ("itertools.count()", math.inf),
        ("islice(itertools.count(), config.steps)", 50),
        ("islice(loud, 2)", 2),
        ("itertools.product(loud, range(4))", 12),
        ("product(loud, sizes)", 3),
        ("itertools.chain(loud, range(4))", 7),
        ("itertools.cycle(loud)", math.inf),
        ("range(40, min(40 + opts.n, config.steps))", 10),
        ("range(max(opts.n, EPOCHS))", 12),
        ("config.data['train'][5:opts.n]", 7),
        ("config.data['train'][20:60]", 10),
        ("enumerate(config.data['train'][::2])", 15),
        ("sizes.items()", 1),
        ("(opts, sizes, loud)", 3),
        ("torch.randperm(opts.n).tolist()", 12),
        ("torch.randperm(len(rows) // 8).tolist()", 5),
        ("rng.permutation(opts.n)", 12),
        ("rng.permutation(loud)", 3),
        ("np.arange(opts.n)", 12),
        ("random.sample(config.data['train'], 4)", 4),
        ("random.choices(config.data['train'], k=EPOCHS)", 7),
        ("rng.choice(30, size=opts.n)", 12),
        ("rng.choice(30, opts.n).tolist()", 12),
        ("torch.randint(0, 9, (opts.n,)).tolist()", 12),
        ("torch.randint(9, size=(opts.n, 2))", 12),
        ("rows.unbind()", 40),
        ("rows.clone()", 40),
        ("range(rows.shape[0])", 40),
        ("range(rows.size(0))", 40),
        ("range(math.ceil(rows.shape[0] / 9))", 5),
        ("range(int(len(rows) / 9))", 4),
        ("range(-(-len(rows) // 9))", 5),
        ("range(len(rows) % 9)", 4),
        ("compute().tolist()", 0),
        ("rng.choice(30)", 0),
        ("[*loud, opts]", 0),
        ("max(opts, sizes)", 0),
        ("range(config.forbidden)", 0),
        ("range(nowhere)", 0),
        ("range(compute())", 0),
        ("range('a')", 0),
        ("range(0, 9, 0)", 0),
        ("range(10**30)", 0),
        ("loader", 0),
        ("config", 0),
    ],
)
def test_the_length_of_a_loop(expression, times):
    assert asked(expression) == times


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("LOADERS['plain']", 7),
        ("enumerate(LOADERS['dropping'])", 6),
        ("LOADERS['counted']", 3),
        ("LOADERS['table']", 7),
        ("LOADERS['part']", 3),
        ("LOADERS['of_two']", 4),
        ("LOADERS['drawn']", 3),
        ("LOADERS['listed']", 5),
        ("zip(LOADERS['plain'], LOADERS['counted'])", 3),
        ("zip(LOADERS['plain'], itertools.count())", 7),
        ("islice(LOADERS['plain'], 4)", 4),
        ("itertools.islice(LOADERS['counted'], 4)", 3),
        ("LOADERS['endless']", 0),
        ("LOADERS['computed']", 0),
    ],
)
def test_the_batches_of_a_loader(expression, times):
    assert asked(expression, loaders=True) == times
    assert asked(expression) == 0


def test_a_function_that_does_not_run_is_unknown():
    tree = ast.parse("range(config.steps)", mode="eval").body
    assert length(tree, __file__, 10**6) == 0
