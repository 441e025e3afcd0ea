# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.pcen.level
# first-bad: 1
"""Sound event tagging with a trainable PCEN front end on a continuous stream."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

MELS, CLASSES = 24, 4


def stream(seed: int, batch: int):
    """Endless chunks of mel energies from `batch` parallel recordings."""
    g = torch.Generator().manual_seed(seed)
    shapes = torch.rand(CLASSES, MELS, generator=g).square()
    gain = torch.ones(batch, 1)
    while True:
        gain = (0.9 * gain.log() + 0.2 * torch.randn(batch, 1, generator=g)).exp()
        y = torch.randint(CLASSES, (batch,), generator=g)
        noise = 0.1 * torch.rand(batch, MELS, generator=g)
        yield gain * (shapes[y] + noise), y


class PCEN(nn.Module):
    def __init__(self, mels: int, eps: float = 1e-6):
        super().__init__()
        self.raw_s = nn.Parameter(torch.full((mels,), -2.5))
        self.log_alpha = nn.Parameter(torch.full((mels,), -0.1))
        self.log_delta = nn.Parameter(torch.full((mels,), 0.5))
        self.log_r = nn.Parameter(torch.full((mels,), -0.7))
        self.eps = eps
        self.level = None

    def forward(self, energy: torch.Tensor) -> torch.Tensor:
        s = torch.sigmoid(self.raw_s)
        if self.level is None:
            self.level = energy
        else:
            self.level = torch.lerp(self.level, energy, s)  # <- culprit
        alpha, delta, r = self.log_alpha.exp(), self.log_delta.exp(), self.log_r.exp()
        agc = energy / (self.eps + self.level).pow(alpha)
        return (agc + delta).pow(r) - delta.pow(r)


class Tagger(nn.Module):
    def __init__(self, hidden: int = 32):
        super().__init__()
        self.pcen = PCEN(MELS)
        self.body = nn.Sequential(nn.Linear(MELS, hidden), nn.ReLU(), nn.Linear(hidden, CLASSES))

    def forward(self, energy: torch.Tensor) -> torch.Tensor:
        return self.body(self.pcen(energy))


def param_groups(model: Tagger, lr: float):
    return [
        {"params": model.pcen.parameters(), "lr": 0.3 * lr},
        {"params": model.body.parameters(), "lr": lr},
    ]


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--chunks", type=int, default=450)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()

    torch.manual_seed(5)
    model = Tagger()
    optim = torch.optim.Adam(param_groups(model, args.lr))
    for i, (energy, label) in zip(range(args.chunks), stream(8, args.batch)):
        logits = model(energy)
        loss = F.cross_entropy(logits, label)
        optim.zero_grad()
        loss.backward(retain_graph=True)
        optim.step()
        if i % 90 == 0:
            acc = (logits.argmax(1) == label).float().mean().item()
            print(f"{i:4d} ce {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
