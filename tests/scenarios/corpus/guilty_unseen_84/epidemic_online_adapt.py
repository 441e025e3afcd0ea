# gradwatch-corpus: kind=graph-chain
# holder: track.weights | self.weights | adapter.track.weights | self.track.weights | track.weights[name]
# first-bad: 1
# notice: 5
# Weekly case forecasting: a small forecaster is adapted week after week, the step sizes and the
# damping of that adaptation are themselves fitted on the next week's error.
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, Tuple

import torch
import torch.nn as nn
from torch.func import functional_call


@dataclass
class Track:
    weights: Dict[str, torch.Tensor] = field(default_factory=dict)
    weeks: int = 0

    def advance(self, weights):
        self.weights = weights  # <- culprit
        self.weeks += 1


class StepSizes(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.log_lr = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for n in names})
        self.log_damp = nn.Parameter(torch.tensor(-4.0))

    def forward(self, name, grad, weight):
        lr = self.log_lr[name.replace(".", "_")].exp()
        return weight - lr * (grad + self.log_damp.exp() * weight)


def make_inner(model: nn.Module, loss_fn: Callable, rule: StepSizes):
    """Return adapt(weights, x, y) -> weights one step further."""

    def adapt(weights, x, y):
        err = loss_fn(functional_call(model, weights, (x,)), y)
        grads = torch.autograd.grad(err, list(weights.values()), create_graph=True)
        return {n: rule(n, g, w) for (n, w), g in zip(weights.items(), grads)}  # <- culprit

    return adapt


class OnlineAdapter:
    def __init__(self, model, meta_lr=1e-2):
        self.model = model
        self.rule = StepSizes([n for n, _ in model.named_parameters()])
        self.adapt = make_inner(model, nn.functional.mse_loss, self.rule)
        self.opt = torch.optim.Adam(self.rule.parameters(), lr=meta_lr)
        self.track = Track({n: p.detach().clone().requires_grad_() for n, p in model.named_parameters()})

    def week(self, past: Tuple[torch.Tensor, torch.Tensor], coming: Tuple[torch.Tensor, torch.Tensor]):
        weights = self.adapt(self.track.weights, *past)  # <- culprit
        x, y = coming
        loss = nn.functional.mse_loss(functional_call(self.model, weights, (x,)), y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.rule.parameters(), 1.0)
        self.opt.step()
        self.track.advance(weights)  # <- culprit
        return loss.item()


def seir_weeks(n: int, regions: int = 12) -> Iterator[Tuple[torch.Tensor, torch.Tensor]]:
    g = torch.Generator().manual_seed(2020)
    s, e, i = torch.full((regions,), 0.97), torch.full((regions,), 0.02), torch.full((regions,), 0.01)
    hist = [i.clone()] * 4
    for w in range(n):
        beta = 1.1 + 0.3 * torch.sin(torch.tensor(w / 8.0)) + 0.05 * torch.randn(regions, generator=g)
        new = beta * s * i
        s = (s - new + 0.08 * (1 - s)).clamp(0.01, 1)
        e = e + new - 0.6 * e
        i = i + 0.6 * e - 0.7 * i
        x = torch.stack(hist[-4:] + [s], -1) * 5
        hist.append(i.clone())
        yield x, i.unsqueeze(-1) * 5


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    adapter = OnlineAdapter(model)
    stream = seir_weeks(124)
    past = next(stream)
    scores = []
    for week, coming in enumerate(stream):
        scores.append(adapter.week(past, coming))
        past = coming
        if week % 35 == 0:
            print(f"week {week:3d}: next-week mse {scores[-1]:.5f}")
    print("mean", sum(scores) / len(scores), "weeks", adapter.track.weeks)


if __name__ == "__main__":
    main()
