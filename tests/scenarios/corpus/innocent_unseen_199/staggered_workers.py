# gradwatch-corpus: kind=none
"""Workers in round robin, each with its own copy of the weights and its own horizon."""
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class Forecaster(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.width = width
        self.cell = nn.GRUCell(1, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.out(h), h


class Worker:
    def __init__(self, rank, model, horizon):
        self.model, self.horizon = model, horizon
        self.gen = torch.Generator().manual_seed(200 + rank)
        self.freq = 0.1 + 0.05 * rank
        self.phase = torch.rand(4, 1, generator=self.gen) * 6.28
        self.h = torch.zeros(4, model.width)
        self.t = 0
        self.errors = []
        self.pull()

    def pull(self):
        self.weights = {n: p.clone() for n, p in self.model.named_parameters()}
        self.loss = torch.zeros(())
        self.age = 0

    def signal(self, t):
        return torch.sin(self.freq * t + self.phase) + 0.05 * torch.randn(4, 1, generator=self.gen)

    def advance(self):
        pred, self.h = functional_call(self.model, self.weights, (self.signal(self.t), self.h))
        err = F.mse_loss(pred, self.signal(self.t + 3))
        self.loss = self.loss + err
        self.errors.append(err.item())
        self.t += 1
        self.age += 1
        return self.age == self.horizon

    def push(self, opt):
        opt.zero_grad()
        (self.loss / self.horizon).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        opt.step()
        self.h = self.h.detach()
        self.pull()


def main():
    torch.manual_seed(120)
    model = Forecaster()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    workers = [Worker(r, model, horizon) for r, horizon in enumerate((7, 11, 13, 19))]
    updates = 0
    for tick in range(1800):
        for w in workers:
            if w.advance():
                w.push(opt)
                updates += 1
        if tick % 300 == 299:
            recent = [sum(w.errors[-100:]) / 100 for w in workers]
            print(tick + 1, updates, [round(r, 4) for r in recent])


if __name__ == "__main__":
    main()
