from typing import NamedTuple

import torch


class Entry(NamedTuple):
    key: torch.Tensor
    value: torch.Tensor
    asked: torch.Tensor
    answer: torch.Tensor
    last: bool


def episode(n, n_key=8, n_value=5):
    keys = torch.nn.functional.normalize(torch.randn(n, n_key), dim=1)
    values = torch.randn(n, n_value)
    for t in range(n):
        k = int(torch.randint(max(0, t - 4), t + 1, (1,)))
        yield Entry(keys[t], values[t], keys[k], values[k], t == n - 1)
