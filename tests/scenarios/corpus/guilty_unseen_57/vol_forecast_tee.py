# gradwatch-corpus: kind=graph-held
# holder: audit | session.audit | self.audit | live | steps | rows
# first-bad: 1
"""Realised-volatility forecaster: the training loop is a generator, consumers read from it."""
import itertools
from typing import NamedTuple

import torch
from torch import nn


class Tick(NamedTuple):
    step: int
    qlike: torch.Tensor
    lr: float


class VolNet(nn.Module):
    def __init__(self, n_assets, d=24):
        super().__init__()
        self.mix = nn.Linear(n_assets, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.head = nn.Linear(d, n_assets)

    def forward(self, returns):
        h, _ = self.rnn(torch.tanh(self.mix(returns)))
        return self.head(h[:, -1])


def garch_paths(n_assets, n_days, a=0.08, b=0.9):
    var = torch.ones(n_assets)
    out = []
    for _ in range(n_days):
        r = var.sqrt() * torch.randn(n_assets)
        out.append(r)
        var = 0.02 + a * r.pow(2) + b * var
    return torch.stack(out)


def windows(returns, look, ahead, batch):
    last = returns.size(0) - look - ahead
    while True:
        at = torch.randint(0, last, (batch,))
        x = torch.stack([returns[i: i + look] for i in at])
        rv = torch.stack([returns[i + look: i + look + ahead].pow(2).mean(0) for i in at])
        yield x, rv


def qlike(log_var, rv):
    return (log_var + rv * torch.exp(-log_var)).mean()


def training(model, loader, n_steps, lr=3e-3):
    opt = torch.optim.RMSprop(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n_steps)
    for step, (x, rv) in enumerate(itertools.islice(loader, n_steps)):
        loss = qlike(model(x), rv)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        yield Tick(step, loss, sched.get_last_lr()[0])  # <- culprit


def watch(ticks, every):
    for t in ticks:
        if t.step % every == 0:
            print(f"step {t.step:4d} qlike {t.qlike.item():.4f} lr {t.lr:.1e}")


def report(ticks, tail=20):
    vals = [t.qlike.item() for t in ticks]
    return {"steps": len(vals), "first": vals[0], "tail": sum(vals[-tail:]) / tail}


class Session:
    def __init__(self, n_assets=6, n_steps=130):
        returns = garch_paths(n_assets, 600)
        self.model = VolNet(n_assets)
        ticks = training(self.model, windows(returns, 20, 5, 24), n_steps)
        self.live, self.audit = itertools.tee(ticks)  # <- culprit

    def run(self):
        watch(self.live, every=25)
        return report(self.audit)


if __name__ == "__main__":
    torch.manual_seed(29)
    torch.set_num_threads(1)
    print(Session().run())
