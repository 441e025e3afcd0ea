# gradwatch-corpus: kind=none
"""Fine-tunes a head on a frozen encoder; embeddings are cached as they are first needed."""
from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


class Indexed(Dataset):
    def __init__(self, n: int) -> None:
        g = torch.Generator().manual_seed(70)
        self.y = torch.randint(0, 4, (n,), generator=g)
        self.x = torch.randn(n, 3, 12, 12, generator=g)
        self.x[:, 0] += 0.8 * self.y[:, None, None].float()

    def __len__(self) -> int:
        return len(self.y)

    def __getitem__(self, i: int):
        return i, self.x[i], self.y[i]


class EmbeddingCache:
    def __init__(self, encoder: nn.Module) -> None:
        self.encoder = encoder.eval()
        self.table: dict[int, Tensor] = {}
        self.hits = 0
        self.misses = 0

    def lookup(self, ids: list[int], x: Tensor) -> Tensor:
        todo = [k for k, i in enumerate(ids) if i not in self.table]
        if todo:
            with torch.no_grad():
                fresh = self.encoder(x[todo])
            for k, e in zip(todo, fresh):
                self.table[ids[k]] = e.clone()
        self.misses += len(todo)
        self.hits += len(ids) - len(todo)
        return torch.stack([self.table[i] for i in ids])


class AttentionHead(nn.Module):
    def __init__(self, dim: int, classes: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.randn(classes, dim) / dim ** 0.5)
        self.value = nn.Linear(dim, dim)
        self.cls = nn.Linear(dim, classes)
        self.last_attention: Tensor | None = None

    def forward(self, e: Tensor) -> Tensor:
        att = torch.softmax(e.transpose(1, 2) @ self.query.t(), dim=1)
        self.last_attention = att
        pooled = (att.transpose(1, 2) @ self.value(e.transpose(1, 2))).mean(1)
        return self.cls(pooled)


def entropy(att: Tensor) -> float:
    att = att.detach()
    return -(att * (att + 1e-9).log()).sum(1).mean().item()


def main() -> None:
    torch.manual_seed(70)
    encoder = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
                            nn.Flatten(2))
    cache = EmbeddingCache(encoder)
    head = AttentionHead(32, 4)
    opt = torch.optim.AdamW(head.parameters(), lr=3e-3)
    loader = DataLoader(Indexed(1280), batch_size=16, shuffle=True)
    for epoch in range(3):
        losses: list[Tensor] = []
        attentions: list[float] = []
        for ids, x, y in loader:
            emb = cache.lookup(ids.tolist(), x)
            loss = nn.functional.cross_entropy(head(emb), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.detach())
            attentions.append(entropy(head.last_attention))
        print(f"epoch {epoch} loss {torch.stack(losses).mean():.4f} att entropy "
              f"{sum(attentions) / len(attentions):.3f} hits {cache.hits} misses {cache.misses}")


if __name__ == "__main__":
    main()
