# gradwatch-corpus: kind=none
"""Second-order MAML with per-step loss weights (MAML++ style) on polynomial regression."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

cfg = {
    "meta_batch": 3,
    "inner_steps": 3,
    "shots": 8,
    "inner_lr": 0.05,
    "outer_lr": 2e-3,
    "iters": 80,
    "anneal": 40,
    "seed": 8,
}


class Net(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.body(x))


class MetaLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Net()
        self.lrs = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.full((), cfg["inner_lr"])) for n, _ in self.net.named_parameters()}
        )
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.lrs.parameters()], lr=cfg["outer_lr"])
        self.fast = None

    def step_weights(self, it):
        k = self.cfg["inner_steps"]
        w = torch.full((k,), max(0.0, 1.0 - it / self.cfg["anneal"]) / k)
        w[-1] = 1.0 - w[:-1].sum()
        return w

    def inner(self, x, y):
        loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
        names = list(self.fast)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names], create_graph=True)
        self.fast = {n: self.fast[n] - self.lrs[n.replace(".", "_")] * g for n, g in zip(names, grads)}

    def task_loss(self, task, weights):
        (xs, ys), (xq, yq) = task
        self.fast = dict(self.net.named_parameters())
        total = 0.0
        for w in weights:
            self.inner(xs, ys)
            q = F.mse_loss(functional_call(self.net, self.fast, (xq,)), yq)
            total = total + w * q
        return total, q.item()

    def meta_step(self, tasks, it):
        weights = self.step_weights(it)
        outer = 0.0
        finals = []
        for task in tasks:
            loss, last = self.task_loss(task, weights)
            outer = outer + loss
            finals.append(last)
        outer = outer / len(tasks)
        self.opt.zero_grad()
        outer.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return outer.item(), sum(finals) / len(finals)


def make_task(shots):
    coef = torch.randn(4) * torch.tensor([0.5, 1.0, 0.5, 0.3])

    def f(x):
        return sum(c * x ** k for k, c in enumerate(coef))

    xs = torch.rand(shots, 1) * 4.0 - 2.0
    xq = torch.rand(2 * shots, 1) * 4.0 - 2.0
    return (xs, f(xs)), (xq, f(xq))


def main():
    torch.manual_seed(cfg["seed"])
    learner = MetaLearner(cfg)
    curve = {"outer": [], "final": []}
    for it in range(cfg["iters"]):
        tasks = [make_task(cfg["shots"]) for _ in range(cfg["meta_batch"])]
        outer, final = learner.meta_step(tasks, it)
        curve["outer"].append(outer)
        curve["final"].append(final)
        if (it + 1) % 20 == 0:
            print(f"{it + 1} outer {sum(curve['outer'][-20:]) / 20:.3f} final {sum(curve['final'][-20:]) / 20:.3f}")


if __name__ == "__main__":
    main()
