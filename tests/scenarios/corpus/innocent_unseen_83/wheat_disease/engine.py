import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

from bank import MemoryBank


class LeafNet(nn.Module):
    def __init__(self, n_classes, dim=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 10, 3), nn.ReLU(), nn.Conv2d(10, 16, 3), nn.ReLU())
        self.proj = nn.Linear(32, dim)
        self.cls = nn.Linear(dim, n_classes)

    def forward(self, x):
        z = self.conv(x)
        z = torch.cat([z.mean((2, 3)), z.amax((2, 3))], 1)
        f = torch.tanh(self.proj(z))
        return f, self.cls(f)


class Engine:
    def __init__(self, n_classes, accumulate):
        self.student = LeafNet(n_classes)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=4e-3)
        self.acc = accumulate
        self.bank = MemoryBank(128)
        self.curves = {"sup": [], "con": [], "cons": []}
        self.seen = 0

    def contrast(self, feats, y):
        keys, labels = self.bank.tensors()
        if keys is None:
            return feats.sum() * 0
        sim = F.normalize(feats, dim=1) @ F.normalize(keys, dim=1).t() / 0.2
        pos = (y[:, None] == labels[None]).float()
        logp = sim.log_softmax(1)
        return -((logp * pos).sum(1) / pos.sum(1).clamp(min=1)).mean()

    def micro(self, x, y):
        feats, logits = self.student(x)
        _, t_logits = self.teacher(x + 0.05 * torch.randn_like(x))
        parts = {
            "sup": F.cross_entropy(logits, y),
            "con": 0.1 * self.contrast(feats, y),
            "cons": F.mse_loss(logits.softmax(1), t_logits.softmax(1)),
        }
        return feats, parts

    def iteration(self, sampler):
        pending = []
        self.opt.zero_grad()
        for _ in range(self.acc):
            x, y = sampler()
            feats, parts = self.micro(x, y)
            pending.append((feats, y, parts))
            (sum(parts.values()) / self.acc).backward()
        self.opt.step()
        for feats, y, parts in pending:
            self.bank.push(feats, y)
            for k, v in parts.items():
                self.curves[k].append(v.detach())
        self.last = pending
        self.ema()
        return {k: round(torch.stack(v[-20:]).mean().item(), 3) for k, v in self.curves.items()}

    @torch.no_grad()
    def ema(self):
        self.seen += 1
        m = min(0.98, 1 - 1 / (self.seen + 1))
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(m).add_(s, alpha=1 - m)

    @torch.no_grad()
    def accuracy(self, sampler):
        x, y = sampler(100)
        return (self.teacher(x)[1].argmax(1) == y).float().mean().item()
