# gradwatch-corpus: kind=none
"""Deep-equilibrium classifier of noisy oscillator traces."""
import sys
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).resolve().parent))
from equilibrium import Equilibrium  # noqa: E402


class Classifier(nn.Module):
    def __init__(self, n_in, width, classes):
        super().__init__()
        self.core = Equilibrium(n_in, width)
        self.read = nn.Linear(width, classes)

    def forward(self, x):
        return self.read(self.core(x))


def oscillators(n, T=24):
    y = torch.randint(0, 3, (n,))
    t = torch.arange(T)[None] * 0.25
    damp = torch.tensor([0.05, 0.4, 1.2])[y][:, None]
    x = torch.exp(-damp * t) * torch.cos(2.0 * t + 0.5 * torch.randn(n, 1))
    return x + 0.1 * torch.randn(n, T), y


def main():
    torch.manual_seed(51)
    x, y = oscillators(700)
    model = Classifier(x.shape[1], 20, 3)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(120):
        pick = torch.randint(0, len(x), (48,))
        logits = model(x[pick])
        loss = F.cross_entropy(logits, y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            acc = (logits.argmax(-1) == y[pick]).float().mean()
            print(f"step {step} loss {loss.item():.3f} acc {acc.item():.2f} residual {model.core.residual:.1e}")


if __name__ == "__main__":
    main()
