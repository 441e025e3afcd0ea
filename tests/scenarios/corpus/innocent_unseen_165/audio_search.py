# gradwatch-corpus: kind=none
import random
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(50)
random.seed(50)


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.a = nn.Conv1d(ch, ch, 3, padding=1)
        self.b = nn.Conv1d(ch, ch, 3, padding=1)

    def forward(self, x):
        h = F.relu(self.a(x), inplace=True)
        h = self.b(h)
        h += x
        return F.relu_(h)


class AudioNet(nn.Module):
    def __init__(self, ch, depth, use_ckpt, classes=3):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 5, stride=2, padding=2)
        self.blocks = nn.ModuleList(ResBlock(ch) for _ in range(depth))
        self.head = nn.Linear(ch, classes)
        self.use_ckpt = use_ckpt

    def forward(self, x):
        h = self.stem(x)
        for block in self.blocks:
            if self.use_ckpt and self.training:
                h = checkpoint(block, h, use_reentrant=False)
            else:
                h = block(h)
        return self.head(h.mean(-1))


def tones(n=320, length=48):
    y = torch.randint(0, 3, (n,))
    t = torch.arange(length).float()
    f = torch.tensor([0.2, 0.5, 0.9])[y].unsqueeze(1)
    return (torch.sin(f * t + 6 * torch.rand(n, 1)) + 0.3 * torch.randn(n, length)).unsqueeze(1), y


def run_trial(cfg, data, path, epochs=3):
    x, y = data
    model = AudioNet(cfg["ch"], cfg["depth"], cfg["ckpt"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    best, best_epoch = 0.0, -1
    for epoch in range(epochs):
        model.train()
        for idx in torch.randperm(256).split(16):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
        model.eval()
        with torch.no_grad():
            acc = (model(x[256:]).argmax(1) == y[256:]).float().mean().item()
        if acc > best:
            best, best_epoch = acc, epoch
            torch.save({"cfg": cfg, "state": model.state_dict(), "acc": acc}, path)
    return best, best_epoch


def main():
    data = tones()
    results = []
    with tempfile.TemporaryDirectory() as tmp:
        for n in range(4):
            cfg = {"ch": random.choice([8, 12]), "depth": random.choice([2, 3]), "lr": 10 ** random.uniform(-3, -2), "ckpt": n % 2 == 0}
            best, at = run_trial(cfg, data, Path(tmp) / f"trial{n}.pt")
            results.append((best, n, cfg))
            print(f"trial {n} acc {best:.3f} at {at} {cfg}")
        best = max(results, key=lambda r: r[0])
        saved = torch.load(Path(tmp) / f"trial{best[1]}.pt")
        print("winner", saved["cfg"], saved["acc"])


if __name__ == "__main__":
    main()
