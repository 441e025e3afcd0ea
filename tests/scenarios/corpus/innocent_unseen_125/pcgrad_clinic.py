# gradwatch-corpus: kind=none
"""Gradient surgery (PCGrad) for three clinical targets over one encoder."""
import random
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


def flat(params):
    return torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in params])


class PCGrad:
    def __init__(self, opt, params, seed=0):
        self.opt, self.params = opt, list(params)
        self.rng = random.Random(seed)

    def backward(self, losses):
        per_task = []
        for k, l in enumerate(losses):
            self.opt.zero_grad()
            l.backward(retain_graph=k + 1 < len(losses))
            per_task.append(flat(self.params))
        fixed = []
        for k, g in enumerate(per_task):
            g = g.clone()
            others = [o for j, o in enumerate(per_task) if j != k]
            self.rng.shuffle(others)
            for o in others:
                dot = torch.dot(g, o)
                if dot < 0:
                    g -= dot / (o.norm() ** 2 + 1e-12) * o
            fixed.append(g)
        merged = torch.stack(fixed).sum(0)
        at = 0
        for p in self.params:
            p.grad = merged[at: at + p.numel()].view_as(p).clone()
            at += p.numel()

    def step(self):
        self.opt.step()


class Clinic(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(11, 16), nn.ReLU())
        self.mort, self.los, self.dx = nn.Linear(16, 1), nn.Linear(16, 1), nn.Linear(16, 4)

    def losses(self, x, t):
        z = self.enc(x)
        return [
            F.binary_cross_entropy_with_logits(self.mort(z).squeeze(1), t["mort"]),
            F.poisson_nll_loss(self.los(z).squeeze(1).clamp(-4, 4), t["los"]),
            F.cross_entropy(self.dx(z), t["dx"]),
        ]


def ward(n):
    x = torch.randn(n, 11)
    return x, {"mort": (x[:, 0] > 0.7).float(), "los": (x[:, 1].exp()).round().clamp(0, 20), "dx": x[:, 2:6].argmax(1)}


torch.manual_seed(8)
net = Clinic()
pc = PCGrad(torch.optim.Adam(net.parameters(), 2e-3), net.parameters())
for it in range(450):
    ls = net.losses(*ward(20))
    pc.backward(ls)
    pc.step()
    if it % 150 == 0:
        print(it, [round(l.item(), 3) for l in ls])
