# gradwatch-corpus: kind=none
"""Spectrogram classifier with gradient accumulation over four micro-batches."""
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


@dataclass
class State:
    micro: int = 0
    updates: int = 0
    running: float = 0.0
    history: list = field(default_factory=list)


@contextmanager
def accumulation(state, opt, every):
    yield 1.0 / every
    state.micro += 1
    if state.micro % every == 0:
        nn.utils.clip_grad_norm_([p for g in opt.param_groups for p in g["params"]], 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        state.updates += 1
        state.history.append(state.running)
        state.running = 0.0


def spectrograms(n, bands=16, frames=20):
    y = torch.randint(0, 4, (n,))
    x = 0.5 * torch.randn(n, 1, bands, frames)
    for i, c in enumerate(y.tolist()):
        x[i, 0, 4 * c:4 * c + 3] += torch.sin(torch.arange(frames) * (c + 1) / 3)
    return x, y


def main(every=4, updates=70):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(),
                        nn.Flatten(), nn.LazyLinear(4))
    net(spectrograms(2)[0])
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    state = State()
    while state.updates < updates:
        x, y = spectrograms(12)
        with accumulation(state, opt, every) as scale:
            loss = F.cross_entropy(net(x), y) * scale
            loss.backward()
            state.running += loss.item()
        if state.micro % 80 == 0:
            print(f"update {state.updates} ce {state.history[-1]:.4f}")


if __name__ == "__main__":
    main()
