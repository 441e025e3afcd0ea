# gradwatch-corpus: kind=none
"""Next-basket retrieval for a grocery app; shopper vectors are cached within an epoch for hard negatives."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class BasketConfig:
    shoppers: int = 320
    products: int = 150
    basket: int = 6
    dim: int = 16
    batch: int = 32
    epochs: int = 10
    negatives: int = 20
    margin: float = 0.3
    lr: float = 8e-3
    patience: int = 3


class ShopperCache:
    def __init__(self) -> None:
        self._vectors: dict[int, Tensor] = {}

    def __len__(self) -> int:
        return len(self._vectors)

    def put(self, shoppers: Tensor, vectors: Tensor) -> None:
        for who, vec in zip(shoppers.tolist(), vectors.detach().clone()):
            self._vectors[who] = vec

    def pool(self) -> Optional[Tensor]:
        if not self._vectors:
            return None
        return torch.stack(list(self._vectors.values()))

    def clear(self) -> None:
        self._vectors.clear()


class BasketEncoder(nn.Module):
    def __init__(self, cfg: BasketConfig) -> None:
        super().__init__()
        self.product = nn.Embedding(cfg.products, cfg.dim)
        self.bag = nn.EmbeddingBag(cfg.products, cfg.dim, mode="mean")
        self.mix = nn.Linear(cfg.dim, cfg.dim)

    def shopper(self, basket: Tensor) -> Tensor:
        return F.normalize(self.mix(torch.tanh(self.bag(basket))), dim=1)

    def target(self, product: Tensor) -> Tensor:
        return F.normalize(self.product(product), dim=1)


class Store:
    def __init__(self, cfg: BasketConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        aisle = torch.randint(8, (cfg.products,), generator=self.gen)
        taste = torch.randint(8, (cfg.shoppers,), generator=self.gen)
        liking = (aisle.unsqueeze(0) == taste.unsqueeze(1)).float() * 2.0
        liking = liking + torch.rand(cfg.shoppers, cfg.products, generator=self.gen)
        order = liking.argsort(dim=1, descending=True)
        self.baskets = order[:, : cfg.basket]
        self.following = order[:, cfg.basket]

    def epoch(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        for part in torch.randperm(self.cfg.shoppers, generator=self.gen).split(self.cfg.batch):
            yield part, self.baskets[part], self.following[part]


class EarlyStop:
    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.best = 0.0
        self.waited = 0

    def should_stop(self, score: float) -> bool:
        if score > self.best:
            self.best = score
            self.waited = 0
        else:
            self.waited += 1
        return self.waited > self.patience


class RetrievalTrainer:
    def __init__(self, cfg: BasketConfig) -> None:
        self.cfg = cfg
        self.net = BasketEncoder(cfg)
        self.opt = torch.optim.Adagrad(self.net.parameters(), lr=cfg.lr * 10)
        self.cache = ShopperCache()

    def triplet(self, vec: Tensor, goal: Tensor) -> Tensor:
        close = (vec * goal).sum(dim=1)
        loss = F.relu(self.cfg.margin - close + (vec.roll(1, 0) * goal).sum(dim=1)).mean()
        pool = self.cache.pool()
        if pool is not None:
            strangers = goal @ pool.T
            hard = strangers.topk(min(self.cfg.negatives, len(pool)), dim=1).values
            loss = loss + 0.5 * F.relu(self.cfg.margin - close.unsqueeze(1) + hard).mean()
        return loss

    def run_epoch(self, store: Store) -> float:
        epoch_loss = torch.zeros(())
        batches = 0
        for who, basket, following in store.epoch():
            vec = self.net.shopper(basket)
            loss = self.triplet(vec, self.net.target(following))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.cache.put(who, vec)
            epoch_loss += loss.detach()
            batches += 1
        self.cache.clear()
        return (epoch_loss / batches).item()

    @torch.no_grad()
    def hit_rate(self, store: Store, k: int = 15) -> float:
        scores = self.net.shopper(store.baskets) @ self.net.target(torch.arange(self.cfg.products)).T
        top = scores.topk(k, dim=1).indices
        return (top == store.following.unsqueeze(1)).any(dim=1).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(66)
    cfg = BasketConfig()
    store = Store(cfg, seed=67)
    trainer = RetrievalTrainer(cfg)
    stopper = EarlyStop(cfg.patience)
    for epoch in range(cfg.epochs):
        loss = trainer.run_epoch(store)
        hits = trainer.hit_rate(store)
        print(f"epoch {epoch}: loss {loss:.4f} hit@15 {hits:.3f} cached {len(trainer.cache)}")
        if stopper.should_stop(hits):
            break
