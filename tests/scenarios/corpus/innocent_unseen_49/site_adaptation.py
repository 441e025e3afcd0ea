# gradwatch-corpus: kind=none
"""Meta-learned start weights for per-site demand models."""
from dataclasses import dataclass, replace
from typing import Dict, Tuple

import torch
from torch import Tensor, nn
from torch.func import functional_call


@dataclass(frozen=True)
class SiteState:
    weights: Dict[str, Tensor]
    trail: Tuple[Tensor, ...] = ()

    def moved(self, grads, loss, rates):
        new = {k: w - rates[k.replace(".", "_")].exp() * g for (k, w), g in zip(self.weights.items(), grads)}
        return replace(self, weights=new, trail=self.trail + (loss,))


class InnerLoop:
    def __init__(self, model: nn.Module, steps: int):
        self.model, self.steps = model, steps
        self.rates = nn.ParameterDict({
            k.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for k, _ in model.named_parameters()})

    def loss(self, weights, x, y):
        return nn.functional.mse_loss(functional_call(self.model, weights, (x,)), y)

    def adapt(self, x, y) -> SiteState:
        state = SiteState(dict(self.model.named_parameters()))
        for _ in range(self.steps):
            value = self.loss(state.weights, x, y)
            grads = torch.autograd.grad(value, list(state.weights.values()), create_graph=True)
            state = state.moved(grads, value, self.rates)
        return state


class MetaTrainer:
    def __init__(self, loop: InnerLoop, lr: float):
        self.loop = loop
        self.opt = torch.optim.Adam([*loop.model.parameters(), *loop.rates.parameters()], lr=lr)
        self.best = float("inf")
        self.curve = []

    def meta_step(self, sites):
        total = 0
        for (xs, ys), (xq, yq) in sites:
            state = self.loop.adapt(xs, ys)
            total = total + self.loop.loss(state.weights, xq, yq) + 0.1 * sum(state.trail)
        loss = total / len(sites)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(loss.item())
        self.best = min(self.best, self.curve[-1])


def draw_sites(n):
    def site():
        amp, phase = 0.5 + torch.rand(1) * 2, torch.rand(1) * 3.14
        x = torch.rand(2, 12, 1) * 6 - 3
        y = amp * torch.sin(x + phase)
        return (x[0], y[0]), (x[1], y[1])
    return [site() for _ in range(n)]


if __name__ == "__main__":
    torch.manual_seed(28)
    model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    trainer = MetaTrainer(InnerLoop(model, steps=2), lr=5e-3)
    for it in range(80):
        trainer.meta_step(draw_sites(3))
        if it % 20 == 19:
            print(f"{it + 1}: {sum(trainer.curve[-20:]) / 20:.4f} (best {trainer.best:.4f})")
