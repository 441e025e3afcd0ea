# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | head.anchor
# first-bad: 1
"""Prototype classifier for streaming sensor modes; prototypes are pulled toward their own slow average."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class ModeStream:
    """Operating modes of a pump whose signature drifts slowly over time."""

    def __init__(self, modes=6, dim=20, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.centers = 2 * torch.randn(modes, dim, generator=self.gen)
        self.drift = 0.004 * torch.randn(modes, dim, generator=self.gen)

    def batch(self, n):
        self.centers = self.centers + self.drift
        y = torch.randint(len(self.centers), (n,), generator=self.gen)
        x = self.centers[y] + torch.randn(n, self.centers.shape[1], generator=self.gen)
        return x, y


class Trunk(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 48), nn.LayerNorm(48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class PrototypeHead(nn.Module):
    def __init__(self, modes, dim, decay=0.97):
        super().__init__()
        self.protos = nn.Parameter(F.normalize(torch.randn(modes, dim), dim=-1))
        self.log_temp = nn.Parameter(torch.tensor(1.5))
        self.decay = decay
        self.anchor = torch.zeros(modes, dim)
        self.updates = 0

    def forward(self, z):
        return self.log_temp.exp() * z @ F.normalize(self.protos, dim=-1).t()

    def update_anchor(self):
        self.anchor = torch.lerp(self.anchor, self.protos, 1 - self.decay)  # <- culprit
        self.updates += 1

    def pull(self):
        corrected = self.anchor / (1 - self.decay ** self.updates)
        return F.mse_loss(self.protos, corrected)


class RunningAccuracy:
    def __init__(self, beta=0.98):
        self.beta, self.value = beta, None

    def add(self, logits, y):
        acc = (logits.argmax(1) == y).float().mean().item()
        self.value = acc if self.value is None else self.beta * self.value + (1 - self.beta) * acc
        return self.value


def train(args):
    torch.manual_seed(args.seed)
    stream = ModeStream(seed=args.seed)
    trunk, head = Trunk(20, 16), PrototypeHead(6, 16)
    opt = torch.optim.Adam([
        {"params": trunk.parameters(), "lr": 1e-3},
        {"params": head.parameters(), "lr": 5e-3},
    ])
    acc = RunningAccuracy()
    for step in range(args.steps):
        x, y = stream.batch(args.batch)
        head.update_anchor()
        logits = head(trunk(x))
        ce = F.cross_entropy(logits, y)
        pull = head.pull()
        loss = ce + args.pull * pull
        opt.zero_grad()
        loss.backward()
        opt.step()
        a = acc.add(logits, y)
        if step % 50 == 0:
            print(f"step {step:4d} ce {ce.item():.4f} pull {pull.item():.5f} acc {a:.3f} temp {head.log_temp.exp().item():.2f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=600)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--pull", type=float, default=2.0)
    ap.add_argument("--seed", type=int, default=17)
    train(ap.parse_args())
