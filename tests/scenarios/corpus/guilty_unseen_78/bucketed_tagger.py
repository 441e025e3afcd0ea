# gradwatch-corpus: kind=second-backward
# holder: self._bias[n] | self._bias | self.rel._bias | model.rel._bias | self.rel._bias[n] | model.rel._bias[n]
# first-bad: 5
# notice: 0
"""Sequence tagger, relative position bias, batches bucketed by length."""
import random
from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import nn

LENGTHS = (8, 11, 14, 18, 23)


class RelativePositions(nn.Module):
    """Per-head bias and locality mask for every sequence length in use."""

    def __init__(self, heads: int, reach: int) -> None:
        super().__init__()
        self.reach = reach
        self.table = nn.Embedding(2 * reach + 1, heads)
        self._masks: Dict[int, torch.Tensor] = {}
        self._bias: Dict[int, torch.Tensor] = {}

    def _offsets(self, n: int) -> torch.Tensor:
        pos = torch.arange(n)
        return (pos[None, :] - pos[:, None]).clamp(-self.reach, self.reach)

    def mask(self, n: int, window: int) -> torch.Tensor:
        if n not in self._masks:
            pos = torch.arange(n)
            self._masks[n] = (pos[None, :] - pos[:, None]).abs() > window
        return self._masks[n]

    def bias(self, n: int) -> torch.Tensor:
        if n not in self._bias:
            self._bias[n] = self.table(self._offsets(n) + self.reach).permute(2, 0, 1)  # <- culprit
        return self._bias[n]

    def new_window(self) -> None:
        self._masks.clear()


class Tagger(nn.Module):
    def __init__(self, vocab: int, dim: int, heads: int, tags: int) -> None:
        super().__init__()
        self.heads = heads
        self.embed = nn.Embedding(vocab, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.rel = RelativePositions(heads, reach=10)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, tags)

    def forward(self, tokens: torch.Tensor, window: int) -> torch.Tensor:
        b, n = tokens.shape
        x = self.embed(tokens)
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        att = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + self.rel.bias(n)
        att = att.masked_fill(self.rel.mask(n, window), -1e4).softmax(-1)
        y = (att @ v).transpose(1, 2).reshape(b, n, -1)
        return self.out(self.norm(x + y))


def make_buckets(vocab: int, tags: int) -> List[Tuple[torch.Tensor, torch.Tensor]]:
    buckets = []
    for n in LENGTHS:
        tokens = torch.randint(vocab, (16, n))
        left = torch.roll(tokens, 1, dims=1)
        buckets.append((tokens, (tokens + left) % tags))
    return buckets


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(2)
    rng = random.Random(2)
    model = Tagger(vocab=30, dim=24, heads=3, tags=5)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    buckets = make_buckets(30, 5)
    for epoch in range(12):
        model.rel.new_window()
        window = 3 + epoch // 3
        rng.shuffle(buckets)
        losses = []
        for tokens, tags in buckets:
            logits = model(tokens, window)
            loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch} window {window} loss {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main()
