# gradwatch-corpus: kind=none
"""Checkpointed multi-step forecast; unstable members are reported as exceptions without frames."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(33)


class Unstable(ArithmeticError):
    def __init__(self, member, size):
        super().__init__(f"member {member}: {size:.2f}")
        self.member = member


@dataclass
class Diary:
    faults: list = field(default_factory=list)

    def keep(self, e):
        e.__cause__ = e.__context__ = None
        self.faults.append(e.with_traceback(None))

    def __len__(self):
        return len(self.faults)


class Step(nn.Module):
    def __init__(self, cells=24, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cells, hidden), nn.GELU(), nn.Linear(hidden, cells))

    def forward(self, x):
        return 0.9 * x + 0.3 * self.net(x)


class Forecast:
    def __init__(self, step, diary, limit):
        self.step, self.diary, self.limit = step, diary, limit

    def _inspect(self, x):
        size, member = x.detach().abs().amax(1).max(0)
        if size > self.limit:
            raise Unstable(int(member), float(size))

    def __call__(self, x, leads):
        out = []
        for _ in range(leads):
            x = checkpoint(self.step, x, use_reentrant=False)
            try:
                self._inspect(x)
            except Unstable as e:
                self.diary.keep(e)
            out.append(x)
        return torch.stack(out, 1)


class Truth:
    def __init__(self, cells=24, leads=5):
        self.leads = leads
        self.x = torch.linspace(0, 6.2832, cells)

    def batches(self, n, batch=6):
        for _ in range(n):
            ph = 6.2832 * torch.rand(batch, 1, 1)
            t = torch.arange(self.leads + 1).view(1, -1, 1)
            w = torch.sin(self.x - 0.3 * t + ph) + 0.4 * torch.cos(2 * self.x + 0.2 * t - ph)
            yield w[:, 0] + 0.02 * torch.randn(batch, len(self.x)), w[:, 1:]


def main():
    diary, step = Diary(), Step()
    fc = Forecast(step, diary, limit=1.25)
    truth = Truth()
    opt = torch.optim.AdamW(step.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)
    w = torch.linspace(1.0, 0.5, truth.leads).view(1, -1, 1)
    for k, (x0, ref) in enumerate(truth.batches(100)):
        loss = (w * (fc(x0, truth.leads) - ref).square()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if k % 25 == 24:
            print(f"{k}: {loss.item():.4f}, {len(diary)} faults, last: {diary.faults[-1] if diary.faults else '-'}")


if __name__ == "__main__":
    main()
