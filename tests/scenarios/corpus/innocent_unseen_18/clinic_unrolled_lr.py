# gradwatch-corpus: kind=none
"""Personalised federated learning: each clinic takes a few differentiable gradient steps from the shared weights, with
step sizes learned for each layer, and the loss after these steps is what the server descends on."""
from dataclasses import dataclass
from functools import partial, reduce

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.func import functional_call


@dataclass(frozen=True)
class Plan:
    clinics: int = 10
    per_round: int = 3
    inner_steps: int = 3
    batch: int = 24
    rounds: int = 220
    outer_lr: float = 3e-3


def make_model() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(10, 24), torch.nn.Tanh(), torch.nn.Linear(24, 1))


def clinic_data(ident: int, gen: torch.Generator, n: int):
    local = torch.Generator().manual_seed(1000 + ident)
    w = torch.ones(10) + torch.randn(10, generator=local)
    x = torch.randn(n, 10, generator=gen)
    return x, torch.tanh(x @ w / 3) + 0.05 * torch.randn(n, generator=gen)


def loss_of(model, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> Tensor:
    return F.mse_loss(functional_call(model, weights, (x,)).squeeze(-1), y)


def inner_step(model, log_lr, x, y, weights, _):
    loss = loss_of(model, weights, x, y)
    grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    return {
        name: w - log_lr[name.replace(".", "_")].exp() * g for (name, w), g in zip(weights.items(), grads)
    }


def personalise(model, log_lr, weights, x, y, n):
    return reduce(partial(inner_step, model, log_lr, x, y), range(n), weights)


class ScheduleFree:
    """Averaging optimizer: gradient at the blend y of iterate z and mean x."""

    def __init__(self, params, lr, beta=0.9):
        self.params, self.lr, self.beta, self.t = list(params), lr, beta, 0
        self.z = [p.detach().clone() for p in self.params]
        self.x = [p.detach().clone() for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        self.t += 1
        c = 1 / self.t
        correction = 1 - 0.99**self.t
        for p, z, x, v in zip(self.params, self.z, self.x, self.v):
            v.mul_(0.99).addcmul_(p.grad, p.grad, value=0.01)
            z.addcdiv_(p.grad, (v / correction).sqrt_().add_(1e-8), value=-self.lr)
            x.lerp_(z, c)
            p.copy_(torch.lerp(z, x, self.beta))

    def zero_grad(self):
        for p in self.params:
            p.grad = None


def main(plan: Plan = Plan()):
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(15)
    model = make_model()
    log_lr = torch.nn.ParameterDict({
        name.replace(".", "_"): torch.tensor(-2.5) for name, _ in model.named_parameters()
    })
    optimizer = ScheduleFree([*model.parameters(), *log_lr.parameters()], plan.outer_lr)
    curve = []
    for r in range(plan.rounds):
        optimizer.zero_grad()
        shared = dict(model.named_parameters())
        total = 0.0
        chosen = torch.randperm(plan.clinics, generator=gen)[: plan.per_round].tolist()
        for ident in chosen:
            support = clinic_data(ident, gen, plan.batch)
            query = clinic_data(ident, gen, plan.batch)
            mine = personalise(model, log_lr, shared, *support, plan.inner_steps)
            total = total + loss_of(model, mine, *query) / plan.per_round
        total.backward()
        optimizer.step()
        curve.append(total.item())
        if (r + 1) % 55 == 0:
            rates = " ".join(f"{v.exp().item():.3f}" for v in log_lr.values())
            print(f"round {r + 1:4d} query loss {sum(curve[-55:]) / 55:.4f} step sizes {rates}")


if __name__ == "__main__":
    main()
