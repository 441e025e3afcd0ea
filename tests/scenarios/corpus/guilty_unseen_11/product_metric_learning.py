# gradwatch-corpus: kind=graph-held
# holder: ProxyTable.unit | self.unit | proxies.unit | self.proxies.unit | criterion.proxies.unit | ProxyTable.unit.cache | lru_cache | functools.lru_cache
# first-bad: 1
"""Proxy-based embedding for product look-up: proxy-anchor term plus a spread term on the proxies.
Synthetic catalogue here, the loader for the real one lives in another repository."""
import functools
import math

import torch
import torch.nn.functional as F
from torch import nn, Tensor


class Catalogue:
    """A few articles per product, drawn around hidden prototypes."""

    def __init__(self, n_products: int, dim: int, seed: int):
        self._gen = torch.Generator().manual_seed(seed)
        self._proto = torch.randn(n_products, dim, generator=self._gen)
        self.n_products = n_products

    def sample(self, n: int) -> tuple[Tensor, Tensor]:
        y = torch.randint(0, self.n_products, (n,), generator=self._gen)
        noise = torch.randn(n, self._proto.size(1), generator=self._gen)
        return self._proto[y] + 0.7 * noise, y


class ProxyTable(nn.Module):
    def __init__(self, n: int, dim: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, dim) / math.sqrt(dim))

    @functools.lru_cache(maxsize=None)  # <- culprit
    def unit(self, step: int) -> Tensor:
        """Normalised proxies of this step; both terms of the loss ask for them."""
        return F.normalize(self.weight, dim=1)


class ProxyAnchor(nn.Module):
    def __init__(self, proxies: ProxyTable, alpha: float = 16.0, margin: float = 0.1):
        super().__init__()
        self.proxies = proxies
        self.alpha = alpha
        self.margin = margin

    def forward(self, emb: Tensor, y: Tensor, step: int) -> Tensor:
        cos = F.normalize(emb, dim=1) @ self.proxies.unit(step).t()
        hit = F.one_hot(y, cos.size(1)).bool()
        pos = torch.where(hit, -self.alpha * (cos - self.margin), torch.full_like(cos, -1e4))
        neg = torch.where(hit, torch.full_like(cos, -1e4), self.alpha * (cos + self.margin))
        present = hit.any(dim=0)
        pull = F.softplus(pos.logsumexp(dim=0))[present].mean()
        push = F.softplus(neg.logsumexp(dim=0)).mean()
        return pull + push


class Spread(nn.Module):
    """Keeps proxies from collapsing onto each other."""

    def __init__(self, proxies: ProxyTable):
        super().__init__()
        self.proxies = proxies

    def forward(self, step: int) -> Tensor:
        u = self.proxies.unit(step)
        gram = u @ u.t()
        off = gram - torch.diag_embed(gram.diagonal())
        return off.pow(2).mean()


class Embedder(nn.Sequential):
    def __init__(self, d_in: int, d_out: int):
        super().__init__(nn.Linear(d_in, 64), nn.ReLU(), nn.Linear(64, d_out))


@torch.no_grad()
def recall_at_1(net: nn.Module, data: Catalogue, n: int = 256) -> float:
    x, y = data.sample(n)
    e = F.normalize(net(x), dim=1)
    sim = e @ e.t()
    sim.fill_diagonal_(-2.0)
    return (y[sim.argmax(dim=1)] == y).float().mean().item()


def main(steps: int = 300) -> None:
    torch.manual_seed(21)
    torch.set_num_threads(1)
    data = Catalogue(40, 20, seed=8)
    net = Embedder(20, 16)
    proxies = ProxyTable(40, 16)
    anchor, spread = ProxyAnchor(proxies), Spread(proxies)
    opt = torch.optim.AdamW(
        [{"params": net.parameters(), "lr": 1e-3}, {"params": proxies.parameters(), "lr": 1e-2, "weight_decay": 0.0}]
    )
    print(f"recall@1 before: {recall_at_1(net, data):.3f}")
    for step in range(steps):
        x, y = data.sample(64)
        loss = anchor(net(x), y, step) + 0.5 * spread(step)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}: loss {loss.item():.3f} recall@1 {recall_at_1(net, data):.3f}")


if __name__ == "__main__":
    main()
