# gradwatch-corpus: kind=none
"""Second-order MAML over sine tasks with learned inner step sizes."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class SineTask:
    def __init__(self, g):
        self.g = g
        self.amp = 0.5 + 2 * torch.rand(1, generator=g)
        self.phase = 3.14 * torch.rand(1, generator=g)

    def draw(self, n):
        x = 10 * torch.rand(n, 1, generator=self.g) - 5
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner(nn.Module):
    def __init__(self, hidden=24, inner_steps=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_lr = nn.ParameterDict(
            {k.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for k, _ in self.net.named_parameters()})
        self.inner_steps = inner_steps
        self.fast = {}
        self.trace = []

    def adapt(self, x, y):
        self.fast = dict(self.net.named_parameters())
        self.trace = []
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {k: p - self.log_lr[k.replace(".", "_")].exp() * g
                         for (k, p), g in zip(self.fast.items(), grads)}
            self.trace.append(loss)
        return self.fast

    def evaluate(self, x, y):
        return F.mse_loss(functional_call(self.net, self.fast, (x,)), y)


class Outer:
    def __init__(self, learner, lr=1e-3, tasks=2):
        self.learner, self.tasks = learner, tasks
        self.opt = torch.optim.Adam(learner.parameters(), lr=lr)
        self.ema = None
        self.curve = []

    def step(self, g):
        total = 0.0
        for _ in range(self.tasks):
            task = SineTask(g)
            self.learner.adapt(*task.draw(8))
            total = total + self.learner.evaluate(*task.draw(8)) + 0.1 * sum(self.learner.trace)
        loss = total / self.tasks
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        value = loss.detach()
        self.ema = value if self.ema is None else 0.95 * self.ema + 0.05 * value
        self.curve.append(self.ema)


def main(iters=420):
    torch.manual_seed(2)
    g = torch.Generator().manual_seed(2)
    outer = Outer(MetaLearner())
    for it in range(iters):
        outer.step(g)
        if it % 60 == 0:
            print(it, f"{outer.curve[-1].item():.3f}", flush=True)


if __name__ == "__main__":
    main()
