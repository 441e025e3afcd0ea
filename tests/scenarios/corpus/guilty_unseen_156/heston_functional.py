# gradwatch-corpus: kind=graph-chain
# holder: params | fit.params
"""Surrogate pricing network fitted with a small functional Nesterov loop (no nn.Module parameters touched)."""
from functools import partial
from typing import Dict, Tuple

import torch
from torch import Tensor, nn
from torch.func import functional_call

Params = Dict[str, Tensor]


def make_net() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 32), nn.Softplus(), nn.Linear(32, 32), nn.Softplus(), nn.Linear(32, 1))


def sample_contracts(n: int, g: torch.Generator) -> Tuple[Tensor, Tensor]:
    """Characteristics, and prices from a Bachelier formula with smile."""
    x = torch.rand(n, 5, generator=g) * 2 - 1
    money, tenor, vol, skew, rate = x.unbind(1)
    sigma = (0.3 + 0.1 * vol + 0.05 * skew * money).clamp_min(0.05) * (1.2 + tenor).sqrt()
    d = (money + 0.05 * rate) / sigma
    normal = torch.distributions.Normal(0.0, 1.0)
    price = sigma * (d * normal.cdf(d) + normal.log_prob(d).exp())
    return x, price.unsqueeze(1)


def objective(net: nn.Module, params: Params, x: Tensor, y: Tensor) -> Tensor:
    return nn.functional.mse_loss(functional_call(net, params, (x,)), y)


def init(net: nn.Module) -> Tuple[Params, Params]:
    params = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
    velocity = {k: torch.zeros_like(v) for k, v in params.items()}
    return params, velocity


def nesterov(params: Params, velocity: Params, grads: Params, lr: float, mu: float) -> Tuple[Params, Params]:
    new_v = {k: mu * velocity[k] - lr * grads[k] for k in params}
    new_p = {k: params[k] + mu * new_v[k] - lr * grads[k] for k in params}  # <- culprit
    return new_p, new_v


def fit(steps: int = 100, batch: int = 64, lr: float = 0.02, mu: float = 0.8, seed: int = 31):
    torch.manual_seed(seed)
    g = torch.Generator().manual_seed(seed)
    net = make_net()
    params, velocity = init(net)
    loss_of = partial(objective, net)
    update = partial(nesterov, lr=lr, mu=mu)

    for step in range(steps):
        x, y = sample_contracts(batch, g)
        loss = loss_of(params, x, y)
        grads = dict(zip(params, torch.autograd.grad(loss, list(params.values()))))
        params, velocity = update(params, velocity, grads)  # <- culprit
        if step % 20 == 0:
            print(f"step {step:3d}  rmse {loss.item() ** 0.5:.4f}")
    return net, params


def greeks(net: nn.Module, params: Params, g: torch.Generator) -> Tensor:
    x, _ = sample_contracts(16, g)
    frozen = {k: v.detach() for k, v in params.items()}
    return torch.func.vmap(torch.func.grad(lambda c: functional_call(net, frozen, (c,)).squeeze()))(x)[:, 0]


if __name__ == "__main__":
    torch.set_num_threads(1)
    net, params = fit()
    print("mean delta", greeks(net, params, torch.Generator().manual_seed(1)).mean().item())
