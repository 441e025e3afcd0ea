# gradwatch-corpus: kind=none
"""Meta-learned reserve prices: a revenue model that adapts to a new seller within a few
auctions (MAML, second order, written with torch.func)."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap

INNER_STEPS = 3
SELLERS = 4
AUCTIONS = 12
FEATURES = 4


def revenue_net():
    return nn.Sequential(nn.Linear(FEATURES, 16), nn.Tanh(), nn.Linear(16, 1))


def draw_sellers(gen, n):
    """Each seller has a demand curve of its own; support and query auctions follow it."""
    taste = torch.randn(n, 1, FEATURES, generator=gen)
    base = 1.0 + 0.3 * torch.randn(n, 1, generator=gen)
    x = torch.randn(n, 2 * AUCTIONS, FEATURES, generator=gen)
    value = F.softplus(base + (x * taste).sum(-1) * 0.5)
    price = value * (0.7 + 0.1 * torch.rand(n, 2 * AUCTIONS, generator=gen))
    return (x[:, :AUCTIONS], price[:, :AUCTIONS]), (x[:, AUCTIONS:], price[:, AUCTIONS:])


def regret(model, params, x, price):
    reserve = functional_call(model, params, (x,)).squeeze(-1)
    return F.huber_loss(reserve, price)


def adapt(model, params, rates, x, price):
    fast = params
    for _ in range(INNER_STEPS):
        grads = grad(partial(regret, model))(fast, x, price)
        fast = {k: fast[k] - rates[k].exp() * grads[k] for k in fast}
    return fast


def seller_loss(model, params, rates, support_x, support_p, query_x, query_p):
    fast = adapt(model, params, rates, support_x, support_p)
    return regret(model, fast, query_x, query_p)


class BestSoFar:
    """Keeps one copy of the weights with the lowest smoothed query loss."""

    def __init__(self):
        self.value = float("inf")
        self.weights = None
        self.smooth = None

    def __call__(self, value, params):
        self.smooth = value if self.smooth is None else 0.9 * self.smooth + 0.1 * value
        if self.smooth < self.value:
            self.value = self.smooth
            self.weights = {k: v.detach().clone() for k, v in params.items()}


def main(outer_steps=220):
    torch.manual_seed(16)
    gen = torch.Generator().manual_seed(161)
    model = revenue_net()
    params = dict(model.named_parameters())
    rates = {k: torch.full((), -3.0, requires_grad=True) for k in params}
    opt = torch.optim.Adam([*params.values(), *rates.values()], lr=4e-3)
    best = BestSoFar()
    batched = vmap(partial(seller_loss, model), in_dims=(None, None, 0, 0, 0, 0))

    for step in range(outer_steps):
        support, query = draw_sellers(gen, SELLERS)
        per_seller = batched(params, rates, *support, *query)
        loss = per_seller.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        best(loss.item(), params)
        if step % 55 == 0:
            spread = per_seller.detach().std().item()
            print(f"{step:4d}  query regret {loss.item():.4f} +- {spread:.4f}  best {best.value:.4f}")

    support, query = draw_sellers(gen, 16)
    with torch.no_grad():
        before = vmap(partial(regret, model), in_dims=(None, 0, 0))(best.weights, *query).mean().item()
    print(f"unadapted regret on fresh sellers {before:.4f}")


if __name__ == "__main__":
    main()
