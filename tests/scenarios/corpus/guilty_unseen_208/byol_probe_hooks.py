# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""BYOL on synthetic vibration signals; watches the representation for collapse."""
import copy
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Options:
    length: int = 96
    batch: int = 32
    dim: int = 24
    tau: float = 0.99
    steps: int = 440
    lr: float = 2e-3
    seed: int = 40


def vibrations(o, gen):
    t = torch.arange(o.length) / o.length
    f = 3 + 9 * torch.rand(o.batch, 1, generator=gen)
    phase = 2 * math.pi * torch.rand(o.batch, 1, generator=gen)
    fault = (torch.rand(o.batch, 1, generator=gen) < 0.3).float()
    return torch.sin(2 * math.pi * f * t + phase) + fault * torch.sin(2 * math.pi * 30 * t)


def augment(x, gen):
    gain = 0.7 + 0.6 * torch.rand(x.size(0), 1, generator=gen)
    shift = int(torch.randint(0, x.size(1), (1,), generator=gen))
    return (gain * x.roll(shift, 1) + 0.1 * torch.randn(x.shape, generator=gen)).unsqueeze(1)


def encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.ReLU(),
        nn.Conv1d(16, dim, 5, stride=2, padding=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(4 * dim, dim),
    )


class BYOL(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.online = encoder(o.dim)
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.predictor = nn.Sequential(nn.Linear(o.dim, 32), nn.ReLU(), nn.Linear(32, o.dim))
        self.tau = o.tau

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return 2 - F.cosine_similarity(pa, tb).mean() - F.cosine_similarity(pb, ta).mean()

    @torch.no_grad()
    def update_target(self):
        for t, s in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(s, 1 - self.tau)


def spread(model, x):
    taps = {}

    def tap(name):
        def hook(module, args, output):
            taps[name] = output[:2].detach().clone()
        return hook

    for name, module in model.online.named_children():
        if isinstance(module, (nn.Conv1d, nn.Linear)):
            module.register_forward_hook(tap(name))  # <- culprit
    with torch.no_grad():
        model.online(x)
    return {name: out.flatten(1).std(0).mean().item() for name, out in taps.items()}


def main():
    o = Options()
    torch.manual_seed(o.seed)
    gen = torch.Generator().manual_seed(o.seed)
    model = BYOL(o)
    trainable = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=o.lr, weight_decay=1e-4)
    held_out = augment(vibrations(o, gen), gen)
    for step in range(o.steps):
        x = vibrations(o, gen)
        loss = model(augment(x, gen), augment(x, gen))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.update_target()
        stats = spread(model, held_out)
        if step % 110 == 109:
            text = " ".join(f"{k}:{v:.3f}" for k, v in stats.items())
            print(f"step {step + 1} loss {loss.item():.3f} spread {text}")


if __name__ == "__main__":
    main()
