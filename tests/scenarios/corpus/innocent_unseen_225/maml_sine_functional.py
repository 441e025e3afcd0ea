# gradwatch-corpus: kind=none
"""MAML on pump calibration curves, functional_call for the fast weights."""
import torch
from torch import nn
from torch.func import functional_call


class Curve(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, x):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(x)))))


class Pump:
    def __init__(self, gen):
        self.gain = 0.5 + 2 * torch.rand(1, generator=gen)
        self.phase = 3 * torch.rand(1, generator=gen)
        self.gen = gen

    def sample(self, k):
        x = 4 * torch.rand(k, 1, generator=self.gen) - 2
        return x, self.gain * torch.sin(x * 1.5 + self.phase)


def adapt(model, params, support, lrs, steps):
    x, y = support
    fast = params
    path = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {
            name: w - lrs[name] * g
            for (name, w), g in zip(fast.items(), grads)
        }
        path.append(loss.detach())
    return fast, path


class MetaLearner:
    def __init__(self, model):
        self.model = model
        self.log_lrs = {}
        for name, _ in model.named_parameters():
            self.log_lrs[name] = torch.full((), -3.0, requires_grad=True)
        groups = [
            {"params": model.parameters(), "lr": 2e-3},
            {"params": list(self.log_lrs.values()), "lr": 1e-2},
        ]
        self.opt = torch.optim.Adam(groups)
        self.best_fast = None
        self.best = float("inf")

    def outer_step(self, tasks, steps):
        params = dict(self.model.named_parameters())
        lrs = {k: v.exp() for k, v in self.log_lrs.items()}
        query_losses = []
        for task in tasks:
            fast, _ = adapt(self.model, params, task.sample(8), lrs, steps)
            x, y = task.sample(8)
            q = nn.functional.mse_loss(functional_call(self.model, fast, (x,)), y)
            query_losses.append(q)
            if q.item() < self.best:
                self.best = q.item()
                self.best_fast = {k: v.detach().clone() for k, v in fast.items()}
        meta = torch.stack(query_losses).mean()
        self.opt.zero_grad()
        meta.backward()
        self.opt.step()
        return meta.item()


def main():
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(14)
    learner = MetaLearner(Curve())
    smooth = None
    for it in range(100):
        tasks = [Pump(gen) for _ in range(3)]
        meta = learner.outer_step(tasks, steps=3)
        smooth = meta if smooth is None else 0.9 * smooth + 0.1 * meta
        if it % 20 == 19:
            print(f"meta-iteration {it + 1}: query mse {smooth:.4f}, best {learner.best:.4f}")
    x = torch.linspace(-2, 2, 5)[:, None]
    print(functional_call(learner.model, learner.best_fast, (x,)).detach().flatten())


if __name__ == "__main__":
    main()
