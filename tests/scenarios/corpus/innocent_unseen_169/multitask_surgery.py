# gradwatch-corpus: kind=none
from collections import OrderedDict, deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(62)

PLAN = [("joint", 25), ("surgery", 60), ("gradnorm", 40)]
STRATEGIES = {}


def strategy(fn):
    STRATEGIES[fn.__name__] = fn
    return fn


class Shared(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 16), nn.Tanh())
        self.heads = nn.ModuleDict({k: nn.Linear(16, n) for k, n in (("cls", 3), ("reg", 1), ("rec", d))})
        self.log_w = nn.Parameter(torch.zeros(3))

    def losses(self, x, c, r):
        z = self.trunk(x)
        return OrderedDict(
            cls=F.cross_entropy(self.heads["cls"](z), c),
            reg=F.mse_loss(self.heads["reg"](z).squeeze(1), r),
            rec=F.mse_loss(self.heads["rec"](z), x),
        )


@strategy
def joint(model, losses):
    for i, loss in enumerate(losses.values()):
        loss.backward(retain_graph=i < len(losses) - 1)


@strategy
def surgery(model, losses):
    trunk = list(model.trunk.parameters())
    flat = []
    for loss in losses.values():
        g = torch.autograd.grad(loss, trunk, retain_graph=True)
        flat.append(torch.cat([t.reshape(-1) for t in g]))
    fixed = []
    for i, g in enumerate(flat):
        g = g.clone()
        for j, other in enumerate(flat):
            dot = g @ other
            if i != j and dot < 0:
                g -= dot / other.pow(2).sum().clamp_min(1e-12) * other
        fixed.append(g)
    sum(losses.values()).backward()
    merged, at = torch.stack(fixed).sum(0), 0
    for p in trunk:
        p.grad = merged[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


@strategy
def gradnorm(model, losses):
    last = model.trunk[2].weight
    weights = torch.softmax(model.log_w, 0) * len(losses)
    norms = torch.stack([torch.autograd.grad(w * l, last, retain_graph=True, create_graph=True)[0].norm()
                         for w, l in zip(weights, losses.values())])
    balance = (norms - norms.mean().detach()).abs().sum()
    (g_w,) = torch.autograd.grad(balance, model.log_w, retain_graph=True)
    (weights.detach() * torch.stack(list(losses.values()))).sum().backward()
    model.log_w.grad = g_w


class Runner:
    def __init__(self, model, data):
        self.model, self.data = model, data
        self.recent = deque(maxlen=5)
        self.curves = {}

    def run(self, name, steps):
        opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        for _ in range(steps):
            idx = torch.randint(len(self.data[0]), (48,))
            losses = self.model.losses(*(t[idx] for t in self.data))
            opt.zero_grad()
            STRATEGIES[name](self.model, losses)
            opt.step()
            self.recent.append({k: v.detach() for k, v in losses.items()})
            self.curves.setdefault(name, []).append({k: v.item() for k, v in losses.items()})
        print(name, {k: round(sum(l[k].item() for l in self.recent) / len(self.recent), 4) for k in losses})
        self.recent.clear()


def main():
    x = torch.randn(500, 8)
    c = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
    runner = Runner(Shared(8), (x, c, x[:, 2] * x[:, 3]))
    for name, steps in PLAN:
        runner.run(name, steps)


if __name__ == "__main__":
    main()
