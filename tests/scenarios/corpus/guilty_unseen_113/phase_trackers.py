# gradwatch-corpus: kind=graph-held
# holder: self.losses | TRACKERS[t].losses | tracker.losses | TRACKERS[task].losses | TRACKERS[name].losses | t.losses | TRACKERS['logp'].losses
# first-bad: 1
# notice: 8
"""Multi-task molecule property regression, three heads on shared fingerprints.

Each phase (warmup / main / cooldown, over and over) begins with new trackers.
"""
from __future__ import annotations

import dataclasses
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)

TASKS = ("logp", "solubility", "tox")


@dataclasses.dataclass
class Tracker:
    name: str
    phase: str = "warmup"
    seen: int = 0
    best: float = float("inf")
    losses: list[torch.Tensor] = dataclasses.field(default_factory=list)
    since: int = 0

    def observe(self, loss: torch.Tensor, n: int) -> None:
        self.seen += n
        self.losses.append(loss)  # <- culprit

    def window(self) -> list[torch.Tensor]:
        return self.losses[self.since:]

    def mean(self) -> float:
        w = self.window()
        return torch.stack(w).mean().item() if w else float("nan")

    def next_phase(self, phase: str) -> "Tracker":
        m = self.mean()
        best = m if m < self.best else self.best
        return dataclasses.replace(self, phase=phase, seen=0, best=best, since=len(self.losses))  # <- culprit


TRACKERS: dict[str, Tracker] = {t: Tracker(t) for t in TASKS}


def start_phase(phase: str) -> None:
    for name, tracker in list(TRACKERS.items()):
        TRACKERS[name] = tracker.next_phase(phase)


class SharedNet(nn.Module):
    def __init__(self, bits: int = 64, width: int = 32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bits, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, fp):
        h = self.body(fp)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


def make_data(n=1024, bits=64):
    fp = (torch.rand(n, bits) < 0.15).float()
    w = torch.randn(bits, len(TASKS)) / 4
    y = fp @ w + 0.1 * torch.randn(n, len(TASKS))
    return fp, {t: y[:, i] for i, t in enumerate(TASKS)}


def main():
    fp, ys = make_data()
    net = SharedNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    phases = itertools.cycle([("warmup", 10, 0.3), ("main", 30, 1.0), ("cooldown", 10, 0.1)])
    step = 0
    for _ in range(12):
        phase, length, scale = next(phases)
        start_phase(phase)
        for _ in range(length):
            idx = torch.randint(len(fp), (32,))
            out = net(fp[idx])
            per_task = {t: F.smooth_l1_loss(out[t], ys[t][idx]) for t in TASKS}
            loss = scale * sum(per_task.values())
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            if step % 2 == 0:
                for t, l in per_task.items():
                    TRACKERS[t].observe(l, len(idx))  # <- culprit
            step += 1
        line = " ".join(f"{t}={TRACKERS[t].mean():.4f}/{TRACKERS[t].best:.4f}" for t in TASKS)
        print(f"{step:4d} {phase:9s} {line}")


if __name__ == "__main__":
    main()
