# gradwatch-corpus: kind=none
"""MAML on sine waves, functional weights."""
import torch
import torch.nn.functional as F
from torch.func import functional_call


class SineTasks:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.seen = []

    def __iter__(self):
        while True:
            amp = 0.5 + 2 * torch.rand(1, generator=self.g)
            phase = 3.14 * torch.rand(1, generator=self.g)
            xs = 10 * torch.rand(20, 1, generator=self.g) - 5
            ys = amp * torch.sin(xs + phase)
            self.seen.append((amp.item(), phase.item()))
            yield (xs[:10], ys[:10]), (xs[10:], ys[10:])


def build():
    return torch.nn.Sequential(
        torch.nn.Linear(1, 24), torch.nn.Tanh(),
        torch.nn.Linear(24, 24), torch.nn.Tanh(),
        torch.nn.Linear(24, 1))


def adapt(model, fast_weights, support, inner_lr, steps):
    x, y = support
    trail = []
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, fast_weights, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast_weights.values()), create_graph=True)
        fast_weights = {k: w - inner_lr * g for (k, w), g in zip(fast_weights.items(), grads)}
        trail.append(loss)
    return fast_weights, trail


def main(n_iter=420, inner_lr=0.02, steps=2):
    torch.manual_seed(30)
    model = build()
    meta_opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    tasks = iter(SineTasks(31))
    ema = None
    curve = {"pre": [], "post": []}
    fast_weights = None
    for it in range(n_iter):
        support, query = next(tasks)
        fast_weights = dict(model.named_parameters())
        fast_weights, trail = adapt(model, fast_weights, support, inner_lr, steps)
        outer = F.mse_loss(functional_call(model, fast_weights, (query[0],)), query[1])

        meta_opt.zero_grad()
        outer.backward()
        meta_opt.step()

        with torch.no_grad():
            ema = outer.detach() if ema is None else 0.97 * ema + 0.03 * outer
        curve["pre"].append(float(trail[0]))
        curve["post"].append(outer.item())
        if it % 60 == 59:
            pre = sum(curve["pre"][-60:]) / 60
            print(f"task {it + 1}: before {pre:.3f} after {ema.item():.3f}")


if __name__ == "__main__":
    main()
