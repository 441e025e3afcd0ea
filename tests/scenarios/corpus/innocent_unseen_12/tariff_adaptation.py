# gradwatch-corpus: kind=none
"""Meta-learned starting weights for per-customer tariff curves (MAML, two inner steps, second
order). Inner learning rates are learned as well."""
from functools import partial
from typing import Callable, Dict, Iterator, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call

Params = Dict[str, Tensor]


class Customer(NamedTuple):
    support: tuple
    query: tuple


class LearnedRates(nn.Module):
    def __init__(self, model: nn.Module, init: float = 0.05):
        super().__init__()
        self.names = [n for n, _ in model.named_parameters()]
        self.raw = nn.Parameter(torch.full((len(self.names),), init).log())

    def __iter__(self):
        return iter(zip(self.names, self.raw.exp()))


def mse(model: nn.Module, params: Params, x: Tensor, y: Tensor) -> Tensor:
    return F.mse_loss(functional_call(model, params, (x,)), y)


class AdaptationHistory:
    """Losses before and after adaptation, for the last customers."""

    def __init__(self, keep: int = 50):
        self.keep = keep
        self.rows = []

    def add(self, **losses: Tensor) -> None:
        self.rows.append({k: v.item() for k, v in losses.items()})
        del self.rows[:-self.keep]

    def __str__(self):
        n = len(self.rows)
        return "  ".join(f"{k}={sum(r[k] for r in self.rows) / n:.4f}" for k in self.rows[0])


class MetaLearner:
    def __init__(self, inner_steps: int = 2):
        torch.manual_seed(23)
        self.model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
        self.rates = LearnedRates(self.model)
        self.inner_steps = inner_steps
        self.history = AdaptationHistory()
        self.opt = torch.optim.Adam([*self.model.parameters(), *self.rates.parameters()], lr=2e-3)

    def adapted(self, objective: Callable[[Params], Tensor]) -> Iterator[Params]:
        params: Params = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            grads = torch.autograd.grad(objective(params), list(params.values()), create_graph=True)
            params = {name: params[name] - rate * g for (name, rate), g in zip(self.rates, grads)}
            yield params

    def customer_loss(self, customer: Customer) -> Tensor:
        on_support = partial(mse, self.model, x=customer.support[0], y=customer.support[1])
        on_query = partial(mse, self.model, x=customer.query[0], y=customer.query[1])
        *_, final = self.adapted(on_support)
        after = on_query(final)
        with torch.no_grad():
            before = on_query(dict(self.model.named_parameters()))
        self.history.add(before=before, after=after)
        return after

    def meta_step(self, customers) -> None:
        self.opt.zero_grad(set_to_none=True)
        total = torch.zeros(())
        for customer in customers:
            total = total + self.customer_loss(customer)
        (total / len(customers)).backward()
        self.opt.step()


def draw(gen: torch.Generator, count: int):
    def points(amp, phase, n):
        x = 4 * torch.rand(n, 1, generator=gen) - 2
        return x, amp * torch.sin(2 * x + phase)

    out = []
    for _ in range(count):
        amp, phase = 0.5 + torch.rand(2, generator=gen) * torch.tensor([1.5, 3.0])
        out.append(Customer(points(amp, phase, 10), points(amp, phase, 20)))
    return out


def main(steps: int = 210) -> None:
    gen = torch.Generator().manual_seed(3)
    learner = MetaLearner()
    for step in range(steps):
        learner.meta_step(draw(gen, 3))
        if step % 70 == 0 or step == steps - 1:
            print(f"{step:4d}  {learner.history}")
    print("rates:", [round(r, 4) for r in learner.rates.raw.exp().tolist()])


if __name__ == "__main__":
    main()
