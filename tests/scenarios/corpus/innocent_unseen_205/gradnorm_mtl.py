# gradwatch-corpus: kind=none
"""GradNorm loss balancing for three regression heads on a shared trunk."""
import torch
import torch.nn as nn


class MTL(nn.Module):
    def __init__(self, n_tasks=3, hidden=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(hidden, 1) for _ in range(n_tasks))
        self.weights = nn.Parameter(torch.ones(n_tasks))

    def forward(self, x):
        z = self.trunk(x)
        return torch.cat([h(z) for h in self.heads], 1)

    @property
    def last_shared(self):
        return self.trunk[2].weight


class Problem:
    def __init__(self, seed=12):
        g = torch.Generator().manual_seed(seed)
        self.A = torch.randn(10, 3, generator=g)
        self.scale = torch.tensor([1.0, 5.0, 0.3])

    def batch(self, n):
        x = torch.randn(n, 10)
        return x, torch.tanh(x @ self.A) * self.scale


class GradNormTrainer:
    def __init__(self, alpha=1.2):
        self.model, self.problem, self.alpha = MTL(), Problem(), alpha
        base = [p for n, p in self.model.named_parameters() if n != "weights"]
        self.opt = torch.optim.Adam(base, lr=2e-3)
        self.wopt = torch.optim.Adam([self.model.weights], lr=1e-2)
        self.initial = None
        self.weight_history, self.loss_history = [], []

    def step(self):
        x, y = self.problem.batch(64)
        task = ((self.model(x) - y) ** 2).mean(0)
        if self.initial is None:
            self.initial = task.data
        weighted = self.model.weights * task

        self.opt.zero_grad()
        self.wopt.zero_grad()
        weighted.sum().backward(retain_graph=True)
        self.model.weights.grad.zero_()

        norms = torch.stack([
            torch.autograd.grad(weighted[i], self.model.last_shared, create_graph=True)[0].norm()
            for i in range(len(task))])
        with torch.no_grad():
            ratio = task / self.initial
            target = norms.mean() * (ratio / ratio.mean()) ** self.alpha
        gn = (norms - target).abs().sum()
        self.model.weights.grad = torch.autograd.grad(gn, self.model.weights)[0]

        self.opt.step()
        self.wopt.step()
        with torch.no_grad():
            self.model.weights.clamp_(min=0.05)
            self.model.weights.mul_(len(task) / self.model.weights.sum())
        self.weight_history.append(self.model.weights.detach().clone())
        self.loss_history.append(task.tolist())

    def fit(self, iters=450):
        for i in range(1, iters + 1):
            self.step()
            if i % 75 == 0:
                w = torch.stack(self.weight_history[-20:]).mean(0).tolist()
                print(i, "w", [round(v, 3) for v in w], "loss", [round(v, 4) for v in self.loss_history[-1]])


if __name__ == "__main__":
    torch.manual_seed(0)
    GradNormTrainer().fit()
