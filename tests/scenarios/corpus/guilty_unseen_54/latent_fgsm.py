# gradwatch-corpus: kind=second-backward
# first-bad: 32
"""Adversarial training in the latent space of a 1-D signal classifier."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.c1 = nn.Conv1d(1, 8, 7, stride=2, padding=3)
        self.c2 = nn.Conv1d(8, 16, 5, stride=2, padding=2)
        self.proj = nn.Linear(16 * 16, latent)

    def forward(self, s):
        h = F.gelu(self.c1(s))
        h = F.gelu(self.c2(h))
        return self.proj(h.flatten(1))


class FGSM:
    def __init__(self, head, eps):
        self.head = head
        self.eps = eps

    def perturb(self, z, y):
        delta = torch.zeros_like(z, requires_grad=True)
        adv_obj = F.cross_entropy(self.head(z + delta), y)
        adv_obj.backward()  # <- culprit
        step = self.eps * delta.grad.sign()
        self.head.zero_grad(set_to_none=True)
        return step


def chirps(n, length=64):
    t = torch.linspace(0, 1, length)
    y = torch.randint(0, 3, (n,))
    f0 = 3.0 + 2.0 * torch.rand(n, 1)
    rate = (y.float().unsqueeze(1) - 1.0) * 4.0
    sig = torch.sin(6.283 * (f0 * t + 0.5 * rate * t ** 2) + 6.283 * torch.rand(n, 1))
    return (sig + 0.2 * torch.randn(n, length)).unsqueeze(1), y


def run_epoch(epoch, args, enc, head, opt, attack, x, y):
    perm = torch.randperm(len(x))
    seen, right, tot = 0, 0, 0.0
    for idx in perm.split(args.batch):
        xb, yb = x[idx], y[idx]
        opt.zero_grad(set_to_none=True)
        z = enc(xb)
        logits = head(z)
        loss = F.cross_entropy(logits, yb)
        if epoch >= args.warmup:
            dz = attack.perturb(z, yb)  # <- culprit
            loss = 0.5 * loss + 0.5 * F.cross_entropy(head(z + dz), yb)
        loss.backward()
        opt.step()
        seen += len(idx)
        right += (logits.argmax(1) == yb).sum().item()
        tot += loss.item() * len(idx)
    print(f"epoch {epoch} loss {tot / seen:.3f} acc {right / seen:.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--warmup", type=int, default=2)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--eps", type=float, default=0.1)
    args = ap.parse_args()
    torch.manual_seed(21)
    x, y = chirps(512)
    enc, head = Encoder(12), nn.Sequential(nn.ReLU(), nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
    opt = torch.optim.AdamW([*enc.parameters(), *head.parameters()], lr=2e-3)
    attack = FGSM(head, args.eps)
    for epoch in range(args.epochs):
        run_epoch(epoch, args, enc, head, opt, attack, x, y)


if __name__ == "__main__":
    main()
