# gradwatch-corpus: kind=none
"""Denoise + classify whale calls: two objectives on a shared encoder, gradient
balanced by norm, on clips that get longer as training goes on."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SPECIES = 4


def clips(n, length):
    y = torch.randint(SPECIES, (n,))
    t = torch.arange(length).float() / 50
    f0 = 1.0 + y.float().unsqueeze(1)
    clean = torch.sin(2 * math.pi * (f0 * t + 0.3 * f0 * t ** 2 / (1 + t)))
    return (clean + 0.4 * torch.randn(n, length)).unsqueeze(-1), clean.unsqueeze(-1), y


class TwoHeaded(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.enc = nn.GRU(1, hid, batch_first=True)
        self.clean = nn.Linear(hid, 1)
        self.cls = nn.Linear(hid, SPECIES)

    def forward(self, x):
        h, _ = self.enc(x)
        return h, self.clean(h), self.cls(h.mean(1))


class Curriculum:
    def __init__(self, start, stop, steps):
        self.start, self.stop, self.steps = start, stop, steps

    def length(self, it):
        return int(self.start + (self.stop - self.start) * it / self.steps)


class NormBalancer:
    """Scales the two losses so that both pull on the features equally hard."""

    def __init__(self):
        self.ratio = 1.0

    def weigh(self, feats, a, b):
        ga, = torch.autograd.grad(a, feats, retain_graph=True)
        gb, = torch.autograd.grad(b, feats, retain_graph=True)
        now = (ga.norm() / gb.norm().clamp_min(1e-8)).clamp(0.1, 10.0).item()
        self.ratio = 0.9 * self.ratio + 0.1 * now
        return self.ratio


def main(steps=70):
    torch.manual_seed(14)
    net, plan, balance = TwoHeaded(), Curriculum(10, 50, steps), NormBalancer()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    log = []
    for it in range(steps):
        x, clean, y = clips(24, plan.length(it))
        feats, rec, logits = net(x)
        l_rec = F.mse_loss(rec, clean)
        l_cls = F.cross_entropy(logits, y)
        w = balance.weigh(feats, l_rec, l_cls)
        opt.zero_grad()
        l_rec.backward(retain_graph=True)
        (w * l_cls).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        log.append((l_rec.item(), l_cls.item()))
        if it % 14 == 0:
            print(f"{it:3d} len {plan.length(it):2d} rec {log[-1][0]:.3f} cls {log[-1][1]:.3f} w {w:.2f}")
    net.eval()
    with torch.no_grad():
        x, clean, y = clips(200, 50)
        _, rec, logits = net(x)
        print("acc", (logits.argmax(1) == y).float().mean().item(), "mse", F.mse_loss(rec, clean).item())


if __name__ == "__main__":
    main()
