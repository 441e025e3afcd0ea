# gradwatch-corpus: kind=none
"""Seismic traces denoised by a deep residual stack under checkpointing; the last few outputs wait for a preview."""
from collections import deque

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.c1, self.c2 = nn.Conv1d(ch, ch, 3, padding=1), nn.Conv1d(ch, ch, 3, padding=1)

    def forward(self, x):
        return x + self.c2(torch.relu(self.c1(x)))


class Denoise(nn.Module):
    def __init__(self, ch=6, depth=4):
        super().__init__()
        self.inp, self.out = nn.Conv1d(1, ch, 3, padding=1), nn.Conv1d(ch, 1, 3, padding=1)
        self.blocks = nn.ModuleList(Block(ch) for _ in range(depth))

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = checkpoint(b, h, use_reentrant=False)
        return self.out(h)


class Preview:
    """Keeps the last few predictions to draw them one above another."""

    def __init__(self, depth):
        self.ring = deque(maxlen=depth)

    def offer(self, pred):
        self.ring.append(pred)

    def roughness(self):
        return torch.stack([p.detach().diff(dim=-1).abs().mean() for p in self.ring]).mean().item()


def traces(n, length=48):
    t = torch.linspace(0, 1, length)
    f = 2 + 6 * torch.rand(n, 1)
    clean = torch.sin(6.2832 * f * t) * torch.exp(-3 * t)
    return clean.unsqueeze(1), (clean + 0.3 * torch.randn(n, length)).unsqueeze(1)


def main():
    torch.manual_seed(71)
    net, preview = Denoise(), Preview(6)
    opt = torch.optim.AdamW(net.parameters(), 2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 420)
    for it in range(420):
        clean, noisy = traces(4)
        pred = net(noisy)
        loss = (pred - clean).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        preview.offer(pred)
        if it % 70 == 69:
            print(it + 1, f"{loss.item():.4f}", f"roughness {preview.roughness():.4f}")


main()
