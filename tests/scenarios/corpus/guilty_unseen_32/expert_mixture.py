# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | self.mixer.anchor | mixer.anchor | model.mixer.anchor
# first-bad: 1
"""Soft mixture of experts whose mixing logits are pulled to their own slow average."""
import math

import torch
from torch import nn

N_EXPERTS = 6
BATCH = 48
STEPS = 240


class Mixer(nn.Module):
    def __init__(self, n, decay=0.97):
        super().__init__()
        self.logits = nn.Parameter(0.01 * torch.randn(n))
        self.temperature = nn.Parameter(torch.tensor(1.0))
        self.decay = decay
        self.anchor = torch.zeros(n)

    def weights(self):
        return torch.softmax(self.logits / self.temperature.clamp(min=0.1), dim=0)

    def drift_penalty(self):
        self.anchor = self.anchor.lerp(self.logits, 1 - self.decay)  # <- culprit
        return (self.logits - self.anchor).square().mean()


class Expert(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class MixtureModel(nn.Module):
    def __init__(self, dim=4, width=16):
        super().__init__()
        self.experts = nn.ModuleList(Expert(dim, width) for _ in range(N_EXPERTS))
        self.mixer = Mixer(N_EXPERTS)

    def forward(self, x):
        stacked = torch.cat([e(x) for e in self.experts], dim=1)
        return stacked @ self.mixer.weights()


def target_fn(x):
    return torch.sin(x[:, 0] * 2) + 0.5 * x[:, 1] * x[:, 2] - 0.2 * x[:, 3]


def stream(batch):
    gen = torch.Generator().manual_seed(5)
    while True:
        x = torch.randn(batch, 4, generator=gen)
        yield x, target_fn(x) + 0.05 * torch.randn(batch, generator=gen)


def cosine(step, total, base):
    return 0.5 * base * (1 + math.cos(math.pi * step / total))


def train():
    torch.manual_seed(0)
    model = MixtureModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    source = stream(BATCH)
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = cosine(step, STEPS, 1e-2)
        x, y = next(source)
        fit = nn.functional.mse_loss(model(x), y)
        loss = fit + 0.1 * model.mixer.drift_penalty()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % 60 == 0 or step == STEPS - 1:
            w = model.mixer.weights().tolist()
            print(f"[{step:3d}] mse={fit.item():.4f} weights=" + " ".join(f"{v:.2f}" for v in w))
    return model


if __name__ == "__main__":
    train()
