# gradwatch-corpus: kind=graph-chain
# holder: run["smooth"]
# first-bad: 1
"""Listener x podcast factor model, minutes listened per week (log scaled)."""
import json
from dataclasses import dataclass, asdict

import torch
from torch import nn


@dataclass
class Args:
    listeners: int = 220
    shows: int = 90
    factors: int = 8
    steps: int = 110
    batch: int = 96
    lr: float = 0.02
    beta: float = 0.9
    log_every: int = 10
    seed: int = 17


class FactorModel(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.u = nn.Embedding(a.listeners, a.factors)
        self.v = nn.Embedding(a.shows, a.factors)
        self.bu = nn.Embedding(a.listeners, 1)
        self.bv = nn.Embedding(a.shows, 1)
        nn.init.normal_(self.u.weight, std=0.2)
        nn.init.normal_(self.v.weight, std=0.2)
        nn.init.zeros_(self.bu.weight)
        nn.init.zeros_(self.bv.weight)

    def forward(self, who, what):
        dot = (self.u(who) * self.v(what)).sum(dim=1)
        return dot + self.bu(who)[:, 0] + self.bv(what)[:, 0]


def make_listens(a):
    g = torch.Generator().manual_seed(a.seed)
    tu = torch.randn(a.listeners, 4, generator=g)
    tv = torch.randn(a.shows, 4, generator=g)
    who = torch.randint(0, a.listeners, (5000,), generator=g)
    what = torch.randint(0, a.shows, (5000,), generator=g)
    y = (tu[who] * tv[what]).sum(1) * 0.5 + 0.1 * torch.randn(5000, generator=g)
    return who, what, y


def main():
    a = Args()
    torch.manual_seed(a.seed)
    who, what, y = make_listens(a)
    model = FactorModel(a)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    run = {"smooth": torch.zeros(()), "logs": [], "best": float("inf"), "best_step": -1}

    for step in range(a.steps):
        pick = torch.randint(0, 4500, (a.batch,))
        pred = model(who[pick], what[pick])
        loss = ((pred - y[pick]) ** 2).mean()
        # very noisy batches, so train on the smoothed loss
        run["smooth"] = a.beta * run["smooth"] + (1 - a.beta) * loss  # <- culprit
        opt.zero_grad()
        run["smooth"].backward(retain_graph=True)  # <- culprit
        opt.step()

        if (step + 1) % a.log_every == 0:
            with torch.no_grad():
                held = (model(who[4500:], what[4500:]) - y[4500:]).pow(2).mean().item()
            run["logs"].append({"step": step + 1, "smooth": round(run["smooth"].item(), 5), "valid": round(held, 5)})
            if held < run["best"]:
                run["best"] = held
                run["best_step"] = step + 1

    print(json.dumps(asdict(a)))
    for r in run["logs"]:
        print(json.dumps(r))
    print("best", round(run["best"], 4), "at", run["best_step"])


if __name__ == "__main__":
    main()
