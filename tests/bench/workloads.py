"""Training jobs of known sizes for the benchmarks: a model, and a `step` that trains it once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

Step = Callable[[], None]


@dataclass(frozen=True)
class Job:
    model: nn.Module
    step: Step


def _trained(model: nn.Module, loss_of: Callable[[], torch.Tensor], lr: float = 1e-3) -> Job:
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def step() -> None:
        optimizer.zero_grad()
        loss_of().backward()
        optimizer.step()

    return Job(model, step)


def mlp() -> Job:
    """0.5 to 0.6 ms a step on one core: where the Python between the operators is what counts."""
    model = nn.Sequential(
        nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)
    )
    x, y = torch.randn(128, 64), torch.randint(10, (128,))
    return _trained(model, lambda: F.cross_entropy(model(x), y))


class Block(nn.Module):
    """Attention and a feed-forward part, before which the input is normalised."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.first(x)).view(batch, length, 3, self.heads, -1).unbind(2)
        attended = F.scaled_dot_product_attention(
            q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        )
        x = x + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(F.gelu(self.wide(self.second(x))))


def _transformer(blocks: int, width: int, length: int, batch: int) -> Job:
    model = nn.Sequential(*(Block(width, 4) for _ in range(blocks)), nn.Linear(width, 64))
    x, y = torch.randn(batch, length, width), torch.randint(64, (batch * length,))
    return _trained(model, lambda: F.cross_entropy(model(x).flatten(0, 1), y))


def transformer_small() -> Job:
    """24 narrow blocks, about 30 ms: many nodes for the time."""
    return _transformer(24, 64, 32, 4)


def transformer_large() -> Job:
    """Four wide blocks, about 0.2 s."""
    return _transformer(4, 256, 128, 4)


def conv() -> Job:
    """A small conv net, about 90 ms."""
    layers: list[nn.Module] = []
    for before, after in ((3, 16), (16, 32), (32, 64)):
        layers += [
            nn.Conv2d(before, after, 3, padding=1),
            nn.BatchNorm2d(after),
            nn.ReLU(),
            nn.MaxPool2d(2),
        ]
    model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(64 * 16, 10))
    x, y = torch.randn(64, 3, 32, 32), torch.randint(10, (64,))
    return _trained(model, lambda: F.cross_entropy(model(x), y))


class Gpt(nn.Module):
    """Tokens in, logits out; of the size of GPT-2 small as it stands (124 million weights)."""

    def __init__(self, blocks: int, width: int, heads: int, length: int, words: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(blocks)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)
        self.head.weight = self.words.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.blocks(self.words(tokens) + self.places(places))))


def gpt(
    device: str = "cuda",
    sizes: tuple[int, int, int, int, int] = (12, 768, 12, 1_024, 50_304),
    batch: int = 8,
    *,
    compiled: bool = False,
) -> Job:
    """GPT-2 small in bfloat16. `sizes`: blocks, width, heads, length, words."""
    model = Gpt(*sizes).to(device)
    run = torch.compile(model) if compiled else model
    tokens = torch.randint(sizes[-1], (batch, sizes[3] + 1), device=device)

    def loss() -> torch.Tensor:
        with torch.autocast(device, torch.bfloat16):
            logits = run(tokens[:, :-1])
            return F.cross_entropy(logits.flatten(0, 1).float(), tokens[:, 1:].flatten())

    return _trained(model, loss)


def launch_bound() -> Job:
    """So small that a GPU waits for Python: what a hook costs shows in full."""
    return gpt(sizes=(24, 64, 4, 32, 512), batch=2)


WORKLOADS: dict[str, Callable[[], Job]] = {
    "mlp": mlp,
    "transformer-24": transformer_small,
    "conv": conv,
    "transformer-wide": transformer_large,
}
if torch.cuda.is_available():
    WORKLOADS |= {
        "gpt2-small": gpt,
        "gpt2-small compiled": lambda: gpt(compiled=True),
        "launch-bound": launch_bound,
    }
