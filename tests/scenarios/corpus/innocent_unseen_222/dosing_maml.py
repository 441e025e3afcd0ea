# gradwatch-corpus: kind=none
"""Meta-learned concentration curves: a few samples of a patient adapt the model (second-order MAML)."""
from __future__ import annotations

import logging
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call
import torch.nn.functional as F

log = logging.getLogger("pk")
Weights = dict[str, Tensor]


@dataclass
class Patient:
    support: tuple[Tensor, Tensor]
    query: tuple[Tensor, Tensor]


def draw_patient(n: int = 10) -> Patient:
    ka = 0.8 + torch.rand(()) * 1.2
    ke = 0.1 + torch.rand(()) * 0.4

    def curve() -> tuple[Tensor, Tensor]:
        t = torch.rand(n, 1) * 8
        conc = ka / (ka - ke) * (torch.exp(-ke * t) - torch.exp(-ka * t))
        return t, conc + 0.01 * torch.randn_like(conc)

    return Patient(curve(), curve())


class InnerLoop(nn.Module):
    def __init__(self, model: nn.Module, steps: int) -> None:
        super().__init__()
        self.model = model
        self.steps = steps
        self.log_lr = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for n, _ in model.named_parameters()}
        )

    def adapt(self, support: tuple[Tensor, Tensor]) -> tuple[Weights, list[Tensor]]:
        weights: Weights = dict(self.model.named_parameters())
        trace: list[Tensor] = []
        x, y = support
        for _ in range(self.steps):
            loss = F.mse_loss(functional_call(self.model, weights, (x,)), y)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {
                n: w - self.log_lr[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(weights.items(), grads)
            }
            trace.append(loss)
        return weights, trace

    def forward(self, patient: Patient) -> tuple[Tensor, Tensor]:
        weights, trace = self.adapt(patient.support)
        x, y = patient.query
        outer = F.mse_loss(functional_call(self.model, weights, (x,)), y)
        return outer, torch.stack(trace).mean()


def main() -> None:
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    inner = InnerLoop(net, steps=3)
    opt = torch.optim.Adam(inner.parameters(), lr=2e-3)
    history: list[tuple[float, float]] = []
    for it in range(100):
        results = [inner(draw_patient()) for _ in range(3)]
        outer = torch.stack([r[0] for r in results]).mean()
        auxiliary = torch.stack([r[1] for r in results]).mean()
        opt.zero_grad()
        (outer + 0.05 * auxiliary).backward()
        nn.utils.clip_grad_norm_(inner.parameters(), 1.0)
        opt.step()
        history.append((outer.item(), auxiliary.item()))
        if it % 25 == 0:
            log.info("iter %d outer %.4f inner %.4f", it, *history[-1])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
