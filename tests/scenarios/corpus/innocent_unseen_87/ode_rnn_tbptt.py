# gradwatch-corpus: kind=none
"""ODE-RNN on an endless irregularly sampled stream, truncated BPTT over k windows, NFE and value meters."""
import argparse
from collections import deque
from contextlib import contextmanager

import torch
from torch import nn


class CountingField(nn.Module):
    def __init__(self, hid):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(hid, hid), nn.Tanh(), nn.Linear(hid, hid))
        self.nfe = 0

    def forward(self, h):
        self.nfe += 1
        return self.net(h) - 0.1 * h


def midpoint(f, h, dt):
    return h + dt * f(h + 0.5 * dt * f(h))


class ODERNN(nn.Module):
    def __init__(self, obs=2, hid=20):
        super().__init__()
        self.f, self.cell, self.out = CountingField(hid), nn.GRUCell(obs, hid), nn.Linear(hid, obs)
        self.hid = hid

    def forward(self, h, x, dt):
        h = midpoint(self.f, h, dt.unsqueeze(1))
        return self.cell(x, h), self.out(h)


class Stream:
    def __init__(self, batch):
        self.phase, self.freq = 6.28 * torch.rand(batch), 0.5 + torch.rand(batch)

    def __next__(self):
        dt = 0.05 + 0.4 * torch.rand(len(self.phase))
        self.phase = self.phase + dt * self.freq * 3
        x = torch.stack([self.phase.cos(), self.phase.sin()], 1)
        return x + 0.02 * torch.randn_like(x), dt


class RunningAverage:
    def __init__(self, momentum=0.97):
        self.momentum, self.val = momentum, None

    def update(self, v):
        self.val = v if self.val is None else self.momentum * self.val + (1 - self.momentum) * v


class TruncatedTrainer:
    """Every step adds one prediction; every k1 steps the loss of the last k2 predictions is walked.

    The graph between the windows is cut when k2 steps have gone by."""

    def __init__(self, model, stream, k1, k2, lr):
        assert k2 % k1 == 0
        self.model, self.stream, self.k1, self.k2 = model, stream, k1, k2
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CyclicLR(self.opt, lr / 4, lr, step_size_up=40, cycle_momentum=False)
        self.state = torch.zeros(len(stream.phase), model.hid)
        self.terms = deque(maxlen=k1)
        self.states = deque(maxlen=k2)
        self.mse, self.nfe = RunningAverage(), RunningAverage()
        self.grad_norms = []

    @contextmanager
    def accumulating(self):
        self.opt.zero_grad(set_to_none=True)
        yield
        self.grad_norms.append(nn.utils.clip_grad_norm_(self.model.parameters(), 1.0).item())
        self.opt.step()
        self.sched.step()

    def window(self):
        self.state = self.state.detach()
        with self.accumulating():
            for chunk in range(self.k2 // self.k1):
                for _ in range(self.k1):
                    x, dt = next(self.stream)
                    self.state, pred = self.model(self.state, x, dt)
                    self.states.append(self.state)
                    self.terms.append((pred - x).pow(2).mean())
                last = chunk == self.k2 // self.k1 - 1
                loss = torch.stack(list(self.terms)).sum() / self.k2
                loss.backward(retain_graph=not last)
                self.mse.update(loss.item() * self.k2 / self.k1)
        self.nfe.update(self.model.f.nfe)
        self.model.f.nfe = 0

    def spread(self):
        return torch.stack([s.detach() for s in self.states]).std(0).mean().item()

    def fit(self, updates):
        for u in range(1, updates + 1):
            self.window()
            if u % 60 == 0:
                print(f"update {u} mse {self.mse.val:.4f} nfe {self.nfe.val:.1f} spread {self.spread():.3f} "
                      f"gnorm {sum(self.grad_norms[-60:]) / 60:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=330)
    ap.add_argument("--k1", type=int, default=3)
    ap.add_argument("--k2", type=int, default=6)
    ap.add_argument("--lr", type=float, default=4e-3)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(99)
    TruncatedTrainer(ODERNN(), Stream(16), a.k1, a.k2, a.lr).fit(a.updates)
