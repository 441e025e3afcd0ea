# gradwatch-corpus: kind=graph-held
# holder: CALLS | CALLS["misfit"] | CALLS["pick"] | CALLS[fn.__name__] | CALLS[fn.__name__][i].result
# first-bad: 1
# notice: 8
import functools
import time
from collections import defaultdict
from typing import Any, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1906)


class Call(NamedTuple):
    seconds: float
    result: Any


CALLS: dict[str, list[Call]] = defaultdict(list)


def profiled(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        tic = time.perf_counter()
        out = fn(*args, **kwargs)
        CALLS[fn.__name__].append(Call(time.perf_counter() - tic, out))  # <- culprit
        return out

    return inner


class Picker(nn.Module):
    """Marks the P arrival in a three-component seismogram."""

    def __init__(self, width=8):
        super().__init__()
        self.a = nn.Conv1d(3, width, 7, padding=3)
        self.b = nn.Conv1d(width, width, 7, padding=6, dilation=2)
        self.c = nn.Conv1d(width, 1, 1)

    @profiled
    def pick(self, wave):
        z = F.gelu(self.a(wave))
        z = z + F.gelu(self.b(z))
        return self.c(z).squeeze(1)


@profiled
def misfit(logits, onset):
    return F.cross_entropy(logits, onset)


@profiled
def quake(n=10, length=48):
    onset = torch.randint(8, length - 8, (n,))
    after = (torch.arange(length)[None] >= onset[:, None]).float()
    wave = 0.2 * torch.randn(n, 3, length) + after[:, None] * torch.randn(n, 3, length)
    return wave, onset


def table():
    for name, calls in CALLS.items():
        total = sum(c.seconds for c in calls)
        print(f"{name:8s} {len(calls):5d} calls {1e3 * total / len(calls):.3f} ms each")


def main(rounds=350):
    picker = Picker()
    opt = torch.optim.Adam(picker.parameters(), 2e-3)
    for k in range(rounds):
        wave, onset = quake()
        logits = picker.pick(wave)
        loss = misfit(logits, onset)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 70 == 0:
            off = (logits.argmax(-1) - onset).abs().float().mean()
            print(k, f"{loss.item():.3f} samples off {off.item():.1f}")
    table()


main()
