# gradwatch-corpus: kind=none
"""Unsupervised sentence embeddings: dropout pairs, in-batch negatives pooled over several micro batches."""
from collections import deque
from typing import Deque, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

MICRO = 4


class Encoder(nn.Module):
    def __init__(self, vocab: int = 60, dim: int = 24, heads: int = 2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.15, batch_first=True) for _ in range(2)
        )
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return F.normalize(self.proj(x.mean(dim=1)), dim=-1)


class PooledContrast:
    """Keeps the embeddings of the last micro batches; the loss is taken once the window is full."""

    def __init__(self, window: int, temperature: float = 0.1):
        self.window: Deque[Tuple[Tensor, Tensor]] = deque(maxlen=window)
        self.temperature = temperature

    def push(self, a: Tensor, b: Tensor) -> bool:
        self.window.append((a, b))
        return len(self.window) == self.window.maxlen

    def loss(self) -> Tensor:
        a = torch.cat([p for p, _ in self.window])
        b = torch.cat([q for _, q in self.window])
        scores = a @ b.T / self.temperature
        return F.cross_entropy(scores, torch.arange(len(a)))

    def reset(self) -> None:
        self.window.clear()


def sentences(n: int, gen: torch.Generator) -> Tensor:
    topic = torch.randint(0, 6, (n, 1), generator=gen) * 10
    return topic + torch.randint(0, 10, (n, 8), generator=gen)


def alignment(enc: Encoder, gen: torch.Generator) -> float:
    enc.eval()
    with torch.no_grad():
        ids = sentences(40, gen)
        z = enc(ids)
        same = (ids[:, :1] // 10) == (ids[:, :1] // 10).T
        sim = z @ z.T
        value = (sim[same].mean() - sim[~same].mean()).item()
    enc.train()
    return value


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(90)
    gen = torch.Generator().manual_seed(90)
    enc = Encoder()
    opt = torch.optim.AdamW(enc.parameters(), lr=1e-3)
    pool = PooledContrast(MICRO)
    updates = 0
    while updates < 70:
        ids = sentences(6, gen)
        if not pool.push(enc(ids), enc(ids)):
            continue
        loss = pool.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        pool.reset()
        updates += 1
        if updates % 20 == 0:
            print(f"update {updates} loss {loss.item():.3f} topic gap {alignment(enc, gen):.3f}")


if __name__ == "__main__":
    main()
