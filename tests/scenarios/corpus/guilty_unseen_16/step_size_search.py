# gradwatch-corpus: kind=graph-chain
# holder: run.weights | self.weights | state.weights | run.weights[i] | weights
# first-bad: 1
"""One-process search of learning rate and weight decay by hypergradients: the validation loss after
each inner step is differentiated with respect to both, while the inner model goes on training."""
from dataclasses import dataclass
from typing import List

import torch
import torch.nn.functional as F

INNER_DIM, HIDDEN, OUTER_STEPS = 9, 16, 240


@dataclass
class Hyper:
    log_lr: torch.Tensor
    log_decay: torch.Tensor

    @classmethod
    def start(cls, lr, decay):
        return cls(torch.tensor(lr).log().requires_grad_(), torch.tensor(decay).log().requires_grad_())

    def tensors(self):
        return [self.log_lr, self.log_decay]

    def __str__(self):
        return f"lr={self.log_lr.exp().item():.4f} decay={self.log_decay.exp().item():.5f}"


@dataclass
class InnerRun:
    weights: List[torch.Tensor]
    seen: int = 0


def initial_weights(gen):
    shapes = [(HIDDEN, INNER_DIM), (HIDDEN,), (1, HIDDEN)]
    return [(0.3 * torch.randn(s, generator=gen)).requires_grad_() for s in shapes]


def predict(weights, x):
    w1, b1, w2 = weights
    return F.linear(torch.tanh(F.linear(x, w1, b1)), w2).squeeze(-1)


def task(gen):
    truth = torch.randn(INNER_DIM, generator=gen)

    def batch(n, noise):
        x = torch.randn(n, INNER_DIM, generator=gen)
        y = torch.sin(x @ truth / 2) + noise * torch.randn(n, generator=gen)
        return x, y
    return batch


def inner_step(run, hyper, x, y):
    loss = F.mse_loss(predict(run.weights, x), y)
    grads = torch.autograd.grad(loss, run.weights)
    lr, decay = hyper.log_lr.exp(), hyper.log_decay.exp()
    run.weights = [w - lr * (g + decay * w) for w, g in zip(run.weights, grads)]  # <- culprit
    run.seen += len(x)
    return loss.item()


def outer_step(run, hyper, optimizer, x, y):
    val = F.mse_loss(predict(run.weights, x), y)
    optimizer.zero_grad()
    val.backward(inputs=hyper.tensors(), retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_value_(hyper.tensors(), 0.5)
    optimizer.step()
    with torch.no_grad():
        hyper.log_lr.clamp_(-7.0, -1.5)
        hyper.log_decay.clamp_(-12.0, -2.0)
    return val.item()


def search():
    gen = torch.Generator().manual_seed(77)
    batch = task(gen)
    run = InnerRun(initial_weights(gen))
    hyper = Hyper.start(lr=0.02, decay=1e-3)
    optimizer = torch.optim.Adam(hyper.tensors(), lr=0.03)
    trail = []
    for step in range(OUTER_STEPS):
        train_loss = inner_step(run, hyper, *batch(16, 0.3))
        val_loss = outer_step(run, hyper, optimizer, *batch(64, 0.0))
        trail.append(val_loss)
        if (step + 1) % 60 == 0:
            print(f"{step + 1:4d}  train {train_loss:.3f}  val {sum(trail[-20:]) / 20:.3f}  {hyper}")
    return hyper


if __name__ == "__main__":
    torch.manual_seed(77)
    torch.set_num_threads(1)
    print("chosen:", search())
