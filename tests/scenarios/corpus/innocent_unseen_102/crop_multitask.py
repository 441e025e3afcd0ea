# gradwatch-corpus: kind=none
"""Yield + disease + ripeness from leaf spectra; conflicting task gradients are projected (PCGrad)."""
import random
from itertools import chain

import torch
from torch import nn
import torch.nn.functional as F

BANDS, STEPS = 16, 320


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(BANDS, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.yield_ = nn.Linear(16, 1)
        self.disease = nn.Linear(16, 3)
        self.ripe = nn.Linear(16, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.yield_(h).squeeze(-1), self.disease(h), self.ripe(h).squeeze(-1)


class PCGrad:
    def __init__(self, params, seed=0):
        self.params = list(params)
        self.rng = random.Random(seed)
        self.conflicts = 0

    def _flat(self, loss):
        grads = torch.autograd.grad(loss, self.params, retain_graph=True)
        return torch.cat([g.flatten() for g in grads])

    def combine(self, losses):
        raw = [self._flat(l) for l in losses]
        out = []
        for i, g in enumerate(raw):
            g = g.clone()
            others = [j for j in range(len(raw)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, raw[j])
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / raw[j].pow(2).sum() * raw[j]
            out.append(g)
        return torch.stack(out).sum(0)

    def write(self, flat):
        at = 0
        for p in self.params:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()


def leaves(n, mix):
    x = torch.randn(n, BANDS)
    z = x @ mix
    return x, z[:, 0] + 0.1 * torch.randn(n), z[:, 1:4].argmax(1), (z[:, 4] - 0.7 * z[:, 0] > 0).float()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(27)
    mix = torch.randn(BANDS, 5) / 2
    net = Heads()
    head_params = list(chain(net.yield_.parameters(), net.disease.parameters(), net.ripe.parameters()))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    surgeon = PCGrad(net.trunk.parameters())
    log = []
    for step in range(STEPS):
        x, y, d, r = leaves(40, mix)
        py, pd, pr = net(x)
        losses = [F.mse_loss(py, y), F.cross_entropy(pd, d), F.binary_cross_entropy_with_logits(pr, r)]
        opt.zero_grad()
        shared = surgeon.combine(losses)
        sum(losses).backward(inputs=head_params)
        surgeon.write(shared)
        opt.step()
        log.append(torch.stack(losses).detach())
        if step % 64 == 63:
            m = torch.stack(log[-64:]).mean(0).tolist()
            print(step + 1, "yield %.3f disease %.3f ripe %.3f" % tuple(m), "conflicts", surgeon.conflicts)


if __name__ == "__main__":
    main()
