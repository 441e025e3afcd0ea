# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)


class SineTask:
    def __init__(self, rng):
        self.amp = 0.5 + 2 * torch.rand(1, generator=rng)
        self.phase = math.pi * torch.rand(1, generator=rng)
        self.rng = rng

    def sample(self, k):
        x = 10 * torch.rand(k, 1, generator=self.rng) - 5
        return x, self.amp * torch.sin(x + self.phase)


class Meta(nn.Module):
    """MAML with per-parameter learned inner learning rates (Meta-SGD)."""

    def __init__(self, net, inner_steps=3, init_lr=0.01):
        super().__init__()
        self.net = net
        self.inner_steps = inner_steps
        self.inner_lr = nn.ParameterList(nn.Parameter(torch.full_like(p, init_lr)) for p in net.parameters())
        self.trace = []

    def adapt(self, x, y, create_graph=True):
        names = [n for n, _ in self.net.named_parameters()]
        fast = dict(self.net.named_parameters())
        self.trace = []
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
            fast = {n: p - lr * g for n, p, lr, g in zip(names, fast.values(), self.inner_lr, grads)}
            self.trace.append(fast)
        return fast

    def forward(self, tasks, k=6):
        losses = []
        for task in tasks:
            self.adapt(*task.sample(k))
            xq, yq = task.sample(k)
            per_step = [F.mse_loss(functional_call(self.net, w, (xq,)), yq) for w in self.trace]
            weights = torch.tensor([0.2, 0.3, 0.5])
            losses.append((torch.stack(per_step) * weights).sum())
        return torch.stack(losses)

    def finetune(self, task, k=10):
        fast = self.adapt(*task.sample(k), create_graph=False)
        xq, yq = task.sample(40)
        with torch.no_grad():
            return F.mse_loss(functional_call(self.net, fast, (xq,)), yq).item()


def main(meta_batch=3, steps=90):
    torch.manual_seed(0)
    rng = torch.Generator().manual_seed(1)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    maml = Meta(net)
    optim = torch.optim.Adam(maml.parameters(), lr=3e-3)
    history = {"query": [], "test": []}
    for step in range(steps):
        losses = maml([SineTask(rng) for _ in range(meta_batch)])
        optim.zero_grad()
        losses.mean().backward()
        nn.utils.clip_grad_norm_(maml.parameters(), 10.0)
        optim.step()
        history["query"].append(losses.detach().mean().item())
        if (step + 1) % 30 == 0:
            history["test"].append(maml.finetune(SineTask(rng)))
            print(f"step {step + 1} query {history['query'][-1]:.3f} test {history['test'][-1]:.3f}")


if __name__ == "__main__":
    main()
