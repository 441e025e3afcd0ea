# gradwatch-corpus: kind=graph-chain
# holder: self.params | learner.params | calib.params | params | self.params["w1"] | self.params["b1"] | self.params["w2"] | self.params["b2"] | fresh | fresh[name] | p
# first-bad: 1
# notice: 5
"""Online calibration of a drifting sensor array with an explicit-parameter learner."""
import argparse
import math
from typing import Dict, Iterator, Tuple

import torch
import torch.nn.functional as F

Params = Dict[str, torch.Tensor]


def init_params(n_in: int, n_hidden: int, n_out: int, gen: torch.Generator) -> Params:
    raw = {
        "w1": torch.randn(n_hidden, n_in, generator=gen) / math.sqrt(n_in),
        "b1": torch.zeros(n_hidden),
        "w2": torch.randn(n_out, n_hidden, generator=gen) / math.sqrt(n_hidden),
        "b2": torch.zeros(n_out),
    }
    return {k: v.requires_grad_() for k, v in raw.items()}


def network(params: Params, x: torch.Tensor) -> torch.Tensor:
    h = torch.tanh(F.linear(x, params["w1"], params["b1"]))
    return F.linear(h, params["w2"], params["b2"])


class Calibrator:
    """Momentum SGD written out by hand, so that the parameters stay a plain dict."""

    def __init__(self, params: Params, lr: float, momentum: float, decay: float) -> None:
        self.params = params
        self.lr = lr
        self.momentum = momentum
        self.decay = decay
        self.velocity = {k: torch.zeros_like(v) for k, v in params.items()}
        self.polyak = {k: v.detach().clone() for k, v in params.items()}
        self.seen = 0

    def direction(self, name: str, grad: torch.Tensor) -> torch.Tensor:
        grad = grad + self.decay * self.params[name].detach()
        self.velocity[name] = self.momentum * self.velocity[name] + grad
        return self.velocity[name]

    def observe(self, x: torch.Tensor, y: torch.Tensor) -> float:
        loss = F.smooth_l1_loss(network(self.params, x), y)
        names = list(self.params)
        grads = torch.autograd.grad(loss, [self.params[n] for n in names])
        self.apply(dict(zip(names, grads)))
        return loss.item()

    def apply(self, grads: Params) -> None:
        fresh: Params = {}
        for name, p in self.params.items():
            fresh[name] = p - self.lr * self.direction(name, grads[name])  # <- culprit
        self.params = fresh  # <- culprit
        self.seen += 1
        self.average()

    def average(self) -> None:
        rate = 1.0 / min(self.seen + 1, 50)
        for name, p in self.params.items():
            self.polyak[name] = self.polyak[name] + rate * (p.detach() - self.polyak[name])

    @torch.no_grad()
    def evaluate(self, x: torch.Tensor, y: torch.Tensor) -> Tuple[float, float]:
        raw = F.mse_loss(network(self.params, x), y).item()
        avg = F.mse_loss(network(self.polyak, x), y).item()
        return raw, avg


def stream(n: int, batch: int, n_in: int, n_out: int, gen: torch.Generator) -> Iterator[Tuple[torch.Tensor, torch.Tensor]]:
    mix = torch.randn(n_out, n_in, generator=gen) / math.sqrt(n_in)
    for t in range(n):
        mix = mix + 0.002 * torch.randn(n_out, n_in, generator=gen)
        x = torch.randn(batch, n_in, generator=gen)
        y = torch.sin(x @ mix.t()) + 0.05 * torch.randn(batch, n_out, generator=gen)
        yield x, y


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=160)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(args.seed)
    calib = Calibrator(init_params(8, 24, 3, gen), args.lr, momentum=0.8, decay=1e-4)
    log = []
    for step, (x, y) in enumerate(stream(args.steps, args.batch, 8, 3, gen)):
        log.append(calib.observe(x, y))
        if (step + 1) % 40 == 0:
            raw, avg = calib.evaluate(x, y)
            print(f"{step + 1:4d} online {sum(log[-40:]) / 40:.4f} raw {raw:.4f} polyak {avg:.4f}")


if __name__ == "__main__":
    main()
