# gradwatch-corpus: kind=none
# after: dragen1860/MAML-Pytorch, oscarknagg/few-shot (second-order inner loop through fast weights, one outer backward)
import math
import typing as t
import torch
from torch import Tensor
from torch.nn import functional as F

Params = t.Dict[str, Tensor]


def init(sizes: t.Sequence[int]) -> Params:
    out: Params = {}
    for k, (i, o) in enumerate(zip(sizes[:-1], sizes[1:])):
        out[f"w{k}"] = (torch.randn(o, i) / math.sqrt(i)).requires_grad_()
        out[f"b{k}"] = torch.zeros(o, requires_grad=True)
    return out


def forward(p: Params, x: Tensor) -> Tensor:
    n = len(p) // 2
    for k in range(n):
        x = F.linear(x, p[f"w{k}"], p[f"b{k}"])
        if k + 1 < n:
            x = torch.tanh(x)
    return x


class Harbour:
    """a tide gauge: amplitude, phase and period of its own"""

    def __init__(self):
        self.a, self.ph, self.w = 0.5 + torch.rand(1), 6.28 * torch.rand(1), 0.8 + 0.4 * torch.rand(1)

    def draw(self, n):
        x = torch.rand(n, 1) * 6 - 3
        return x, self.a * torch.sin(self.w * x + self.ph)


def adapt(p: Params, x: Tensor, y: Tensor, lr: float, steps: int, second_order=True) -> Params:
    fast = p
    for _ in range(steps):
        loss = F.mse_loss(forward(fast, x), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=second_order)
        fast = {k: v - lr * g for (k, v), g in zip(fast.items(), grads)}
    return fast


def evaluate(p: Params, n=4) -> float:
    total = 0.0
    for _ in range(n):
        h = Harbour()
        frozen = {k: v.detach().requires_grad_() for k, v in p.items()}
        fast = adapt(frozen, *h.draw(8), lr=0.05, steps=3, second_order=False)
        with torch.no_grad():
            x, y = h.draw(32)
            total += F.mse_loss(forward(fast, x), y).item()
    return total / n


def main():
    torch.manual_seed(17)
    meta = init([1, 32, 32, 1])
    opt = torch.optim.Adam(meta.values(), 2e-3)
    post, evals = [], []
    for it in range(70):
        task_losses = []
        for _ in range(4):
            h = Harbour()
            fast = adapt(meta, *h.draw(8), lr=0.05, steps=2)
            x, y = h.draw(12)
            task_losses.append(F.mse_loss(forward(fast, x), y))
        outer = torch.stack(task_losses).mean()
        opt.zero_grad()
        outer.backward()
        opt.step()
        post.append(outer.item())
        if it % 14 == 0:
            evals.append((it, evaluate(meta)))
    print("outer", sum(post[-10:]) / 10, "eval", evals)


main()
