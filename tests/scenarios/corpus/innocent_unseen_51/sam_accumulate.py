# gradwatch-corpus: kind=none
"""Sharpness-aware minimisation with gradient accumulation, clipping and SWA at the end."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

MICRO, ACCUM, STEPS, SWA_FROM = 16, 4, 80, 55


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params = [p for p in params if p.requires_grad]
        self.base, self.rho = base, rho
        self.saved = {}

    @torch.no_grad()
    def _norm(self):
        return torch.stack([p.grad.norm() for p in self.params if p.grad is not None]).norm()

    @contextmanager
    def perturbed(self):
        scale = self.rho / (self._norm() + 1e-12)
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                self.saved[p] = p.clone()
                p.add_(p.grad, alpha=scale.item())
        self.base.zero_grad(set_to_none=False)
        yield
        with torch.no_grad():
            for p, old in self.saved.items():
                p.copy_(old)
        self.saved.clear()


class PatchNet(nn.Module):
    """A vision transformer on 8x8 toy digits, patches of 2x2."""

    def __init__(self, dim=32, classes=6):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, 2, 2)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(0.02 * torch.randn(1, 17, dim))
        self.block = nn.TransformerEncoderLayer(
            dim, 4, 64, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.fc = nn.Linear(dim, classes)

    def forward(self, img):
        tok = self.patch(img).flatten(2).transpose(1, 2)
        tok = torch.cat([self.cls.expand(len(tok), -1, -1), tok], 1) + self.pos
        return self.fc(self.block(tok)[:, 0])


def glyphs(n, classes=6):
    proto = (torch.rand(classes, 1, 8, 8) > 0.6).float()
    y = torch.randint(classes, (n,))
    return proto[y] + 0.5 * torch.randn(n, 1, 8, 8), y


def accumulate(net, loss_fn, chunks):
    total = 0.0
    for x, y in chunks:
        loss = loss_fn(net(x), y) / len(chunks)
        loss.backward()
        total += loss.item()
    return total


def main():
    torch.manual_seed(12)
    x, y = glyphs(1200)
    net, loss_fn = PatchNet(), nn.CrossEntropyLoss(label_smoothing=0.05)
    base = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sam, averaged, swa_lr = SAM(net.parameters(), base), AveragedModel(net), SWALR(base, 0.02, anneal_epochs=5)
    trail = []
    for step in range(STEPS):
        idx = torch.randint(1000, (ACCUM, MICRO))
        chunks = [(x[i], y[i]) for i in idx]
        base.zero_grad()
        here = accumulate(net, loss_fn, chunks)
        with sam.perturbed():
            there = accumulate(net, loss_fn, chunks)
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        base.step()
        if step >= SWA_FROM:
            averaged.update_parameters(net)
            swa_lr.step()
        trail.append((here, there - here))
        if step % 20 == 19:
            sharp = sum(t[1] for t in trail[-20:]) / 20
            print(f"{step + 1} loss {here:.3f} sharpness {sharp:.4f}")
    with torch.no_grad():
        for name, m in (("last", net), ("swa", averaged)):
            print(name, (m(x[1000:]).argmax(-1) == y[1000:]).float().mean().item())


if __name__ == "__main__":
    main()
