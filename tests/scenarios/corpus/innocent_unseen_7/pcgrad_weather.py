# gradwatch-corpus: kind=none
# about: retain_graph=True and autograd.grad several times over one trunk (gradient surgery + homoscedastic weights); every retained pass is needed, the last one frees
"""Multi task nowcasting (temperature, rain yes/no, wind class) with PCGrad and learned task weights."""
import random
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Nowcaster(nn.Module):
    def __init__(self, d=18, h=72):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.towers = nn.ModuleDict({"temp": nn.Linear(h, 1), "rain": nn.Linear(h, 1), "wind": nn.Linear(h, 4)})
        self.log_var = nn.ParameterDict({k: nn.Parameter(torch.zeros(())) for k in self.towers})

    def losses(self, x, target):
        z = self.trunk(x)
        t, r, w = (self.towers[k](z) for k in ("temp", "rain", "wind"))
        raw = OrderedDict(
            temp=F.mse_loss(t.squeeze(1), target["temp"]),
            rain=F.binary_cross_entropy_with_logits(r.squeeze(1), target["rain"]),
            wind=F.cross_entropy(w, target["wind"]),
        )
        return OrderedDict((k, torch.exp(-self.log_var[k]) * v + 0.5 * self.log_var[k]) for k, v in raw.items()), raw


class Surgeon:
    """projects conflicting task gradients of the shared trunk onto each other's normal plane"""

    def __init__(self, shared, seed):
        self.shared = list(shared)
        self.rng = random.Random(seed)
        self.conflicts = 0

    def gather(self, losses, private):
        flat, pending = [], len(losses)
        for name, loss in losses.items():
            pending -= 1
            own = private(name)
            got = torch.autograd.grad(loss, self.shared + own, retain_graph=pending > 0)
            flat.append(torch.cat([g.flatten() for g in got[: len(self.shared)]]))
            for p, g in zip(own, got[len(self.shared):]):
                p.grad = g
        return flat

    def operate(self, flat):
        out = torch.zeros_like(flat[0])
        for i, g in enumerate(flat):
            g = g.clone()
            others = [o for j, o in enumerate(flat) if j != i]
            self.rng.shuffle(others)
            for o in others:
                dot = g @ o
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / o.pow(2).sum() * o
            out += g
        at = 0
        for p in self.shared:
            p.grad = out[at:at + p.numel()].view_as(p)
            at += p.numel()


def stations(n, gen):
    x = torch.randn(n, 18, generator=gen)
    temp = x[:, :6].sum(1) * 0.5 - x[:, 6] * x[:, 7]
    rain = (x[:, 3] - x[:, 9] + 0.3 * temp > 0).float()
    wind = (x[:, 10:14] - x[:, :4] * 0.5).argmax(1)
    return x, dict(temp=temp, rain=rain, wind=wind)


if __name__ == "__main__":
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(50)
    net = Nowcaster()
    surgeon = Surgeon(net.trunk.parameters(), seed=50)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    log = {k: 0.0 for k in net.towers}
    for it in range(340):
        x, y = stations(96, gen)
        weighted, raw = net.losses(x, y)
        opt.zero_grad(set_to_none=True)
        grads = surgeon.gather(weighted, lambda k: [*net.towers[k].parameters(), net.log_var[k]])
        surgeon.operate(grads)
        opt.step()
        for k, v in raw.items():
            log[k] = log[k] * 0.95 + v.item() * 0.05
        if it % 50 == 0:
            sig = {k: round(p.exp().sqrt().item(), 3) for k, p in net.log_var.items()}
            print(it, {k: round(v, 4) for k, v in log.items()}, "sigma", sig, "conflicts", surgeon.conflicts)
