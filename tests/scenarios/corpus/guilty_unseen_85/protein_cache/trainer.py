import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from report import Report


class ResidueNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.emb = nn.Embedding(20, width)
        self.conv = nn.Conv1d(width, width, 5, padding=2)
        self.head = nn.Linear(width, 3)

    def forward(self, codes):
        z = self.emb(codes).transpose(1, 2)
        z = F.gelu(self.conv(z)) + z
        return self.head(z.transpose(1, 2))


class PeptideTrainer:
    def __init__(self, items):
        self.items = items
        self.net = ResidueNet()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=3e-3)
        self.report = Report()

    def epoch(self, batch_size):
        random.shuffle(self.items)
        for i in range(0, len(self.items), batch_size):
            chunk = self.items[i:i + batch_size]
            codes = torch.stack([c for c, _ in chunk])
            label = torch.stack([l for _, l in chunk])
            logits = self.net(codes)
            raw = F.cross_entropy(logits.flatten(0, 1), label.flatten(), reduction="none")
            per_residue = raw.view_as(label).mean(0)
            self.opt.zero_grad()
            per_residue.mean().backward()
            self.opt.step()
            self.report.note(per_residue)
