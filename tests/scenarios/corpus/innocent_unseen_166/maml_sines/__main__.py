# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn.functional as F

from .inner import adapt, init_params, mlp

torch.set_num_threads(1)


class SineTasks:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, k):
        a = 0.5 + 2 * torch.rand(1, generator=self.gen)
        ph = 3.14 * torch.rand(1, generator=self.gen)
        x = 6 * torch.rand(2 * k, 1, generator=self.gen) - 3
        y = a * torch.sin(x + ph)
        return (x[:k], y[:k]), (x[k:], y[k:])


class MetaLearner:
    def __init__(self, inner_steps):
        self.params = init_params([1, 24, 24, 1])
        self.log_lr = [torch.tensor(-3.0, requires_grad=True) for _ in self.params]
        self.opt = torch.optim.Adam(self.params + self.log_lr, lr=3e-3)
        self.inner_steps = inner_steps
        self.history = []

    def meta_step(self, tasks):
        self.opt.zero_grad()
        path = []
        total = 0.0
        for (xs, ys), (xq, yq) in tasks:
            fast = adapt(self.params, xs, ys, self.log_lr, self.inner_steps, keep=path)
            total = total + F.mse_loss(mlp(fast, xq), yq)
        loss = total / len(tasks) + 0.1 * torch.stack(path).mean()
        loss.backward()
        self.opt.step()
        self.history.append((loss.item(), [p.item() for p in path]))
        return loss.item()

    def evaluate(self, tasks):
        out = 0.0
        for (xs, ys), (xq, yq) in tasks:
            fast = adapt(self.params, xs, ys, self.log_lr, self.inner_steps)
            with torch.no_grad():
                out += F.mse_loss(mlp(fast, xq), yq).item()
        return out / len(tasks)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--meta-steps", type=int, default=100)
    ap.add_argument("--tasks", type=int, default=4)
    ap.add_argument("--shots", type=int, default=8)
    ap.add_argument("--inner", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    tasks, held = SineTasks(0), SineTasks(1)
    learner = MetaLearner(args.inner)
    for it in range(args.meta_steps):
        loss = learner.meta_step([tasks.draw(args.shots) for _ in range(args.tasks)])
        if it % 20 == 19:
            val = learner.evaluate([held.draw(args.shots) for _ in range(8)])
            print(f"meta step {it + 1} loss {loss:.4f} held-out {val:.4f}")


if __name__ == "__main__":
    main()
