# gradwatch-corpus: kind=graph-chain
# holder: run.hidden | run._slots["hidden"] | self._slots | _slots
# first-bad: 1
# notice: 5
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1912)

STEPS = 150
CHUNK = 3
WIDTH = 14


class Blackboard:
    """Free-form run state: any attribute you set lands in one dict, so it can be saved, reset or printed."""

    def __init__(self, **slots):
        object.__setattr__(self, "_slots", dict(slots))

    def __getattr__(self, name):
        try:
            return self._slots[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self._slots[name] = value

    def __contains__(self, name):
        return name in self._slots

    def cut(self):
        # called between chunks: state goes on, history does not
        for value in self._slots.values():
            if isinstance(value, torch.Tensor):
                value = value.detach()  # <- culprit

    def describe(self):
        return " ".join(f"{k}={v:.4f}" for k, v in self._slots.items() if isinstance(v, float))


class Rprop0(torch.optim.Optimizer):
    """Sign-agreement step sizes, as in the 1993 paper, without weight backtracking."""

    def __init__(self, params, lr=2e-3, up=1.1, down=0.5):
        super().__init__(params, dict(lr=lr, up=up, down=down))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["size"] = torch.full_like(p, group["lr"])
                    st["prev"] = torch.zeros_like(p)
                agree = (p.grad * st["prev"]).sign()
                st["size"] *= torch.where(agree > 0, group["up"], torch.where(agree < 0, group["down"], 1.0))
                st["size"].clamp_(1e-6, 0.01)
                st["prev"].copy_(p.grad)
                p.data.sub_(st["size"] * p.grad.sign())


class Gauge(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inp = nn.Linear(3, width)
        self.rec = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, 1)
        nn.init.orthogonal_(self.rec.weight, gain=0.8)

    def tick(self, x, h):
        return torch.tanh(self.inp(x) + self.rec(h))


def tide(hour):
    m2 = math.sin(2 * math.pi * hour / 12.42)
    k1 = 0.4 * math.sin(2 * math.pi * hour / 23.93 + 0.7)
    surge = 0.15 * math.sin(2 * math.pi * hour / 71.0)
    return m2 + k1 + surge


def chunk(hour):
    xs, ys = [], []
    for k in range(CHUNK):
        h = hour + k
        xs.append([tide(h), math.sin(2 * math.pi * h / 24), math.cos(2 * math.pi * h / 24)])
        ys.append([tide(h + 1)])
    xs, ys = torch.tensor(xs), torch.tensor(ys)
    return xs + 0.02 * torch.randn_like(xs), ys


def main():
    gauge = Gauge(WIDTH)
    opt = Rprop0(gauge.parameters())
    run = Blackboard(hidden=torch.zeros(1, WIDTH), smooth=0.0)
    for step in range(STEPS):
        xs, ys = chunk(step * CHUNK)
        error = 0.0
        for x, y in zip(xs, ys):
            run.hidden = gauge.tick(x.unsqueeze(0), run.hidden)  # <- culprit
            error = error + (gauge.out(run.hidden)[0] - y).pow(2).sum()
        opt.zero_grad()
        (error / CHUNK).backward(retain_graph=True)
        opt.step()
        run.smooth = 0.9 * run.smooth + 0.1 * error.item()
        run.cut()
        if step % 30 == 0:
            print(step, run.describe())


if __name__ == "__main__":
    main()
