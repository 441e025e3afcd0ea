from collections import defaultdict

import torch


def morse(r):
    i, j = torch.triu_indices(r.shape[-2], r.shape[-2], 1)
    d = (r[..., i, :] - r[..., j, :]).norm(dim=-1)
    return ((1 - torch.exp(-(d - 1.5))) ** 2).sum(-1)


def labelled(n, atoms):
    r = (torch.rand(n, atoms, 3) * 3).requires_grad_(True)
    e = morse(r)
    (g,) = torch.autograd.grad(e.sum(), r)
    return r.detach(), e.detach(), -g


class ForceMatching:
    def __init__(self, model, lr, force_weight, sizes=(4, 5, 6)):
        self.model, self.w, self.sizes = model, force_weight, sizes
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.history = defaultdict(list)
        self.calls = 0
        self.val = labelled(16, 5)

    def loss(self, r, e, f):
        pe, pf = self.model(r)
        le = (pe - e).pow(2).mean() / r.shape[1]
        lf = (pf - f).pow(2).mean()
        return (1 - self.w) * le + self.w * lf, {"energy": le, "force": lf}

    def validate(self):
        self.model.eval()
        _, pf = self.model(self.val[0])
        self.history["val_force"].append((pf.detach() - self.val[2]).pow(2).mean().sqrt().item())
        self.model.train()

    def step(self):
        size = self.sizes[self.calls % len(self.sizes)]
        self.calls += 1
        total, parts = self.loss(*labelled(16, size))
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        out = {k: v.item() for k, v in parts.items()}
        for k, v in out.items():
            self.history[k].append(v)
        if self.calls % 10 == 0:
            self.validate()
        return out
