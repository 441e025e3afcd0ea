# gradwatch-corpus: kind=none

# Meta-SGD on sine waves with a slow copy for evaluation, importance weights and task memory.
import math
import random

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)


class SineTask:
    def __init__(self):
        self.amp, self.phase = random.uniform(0.5, 3.0), random.uniform(0, math.pi)
        self.difficulty = 1.0

    def draw(self, k):
        x = 10 * torch.rand(k, 1) - 5
        return x, self.amp * torch.sin(x + self.phase)


class TaskMemory:
    def __init__(self, capacity=40):
        self.tasks, self.capacity = [], capacity

    def mix(self, n):
        old = random.sample(self.tasks, min(n // 2, len(self.tasks)))
        return old + [SineTask() for _ in range(n - len(old))]

    def keep(self, tasks):
        merged = {id(t): t for t in self.tasks + tasks}
        self.tasks = sorted(merged.values(), key=lambda t: -t.difficulty)[:self.capacity]


class MetaSGD(nn.Module):
    def __init__(self, width=40, lr=0.02):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.rates = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.full_like(p, lr)) for n, p in self.net.named_parameters()})

    def inner(self, x, y, steps, differentiable=True, weights=None):
        fast = dict(self.net.named_parameters()) if weights is None else weights
        for _ in range(steps):
            loss = (functional_call(self.net, fast, (x,)) - y).square().mean()
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=differentiable)
            fast = {n: w - self.rates[n.replace(".", "_")] * g for (n, w), g in zip(fast.items(), grads)}
            if not differentiable:
                fast = {n: w.detach().requires_grad_() for n, w in fast.items()}
        return fast


class SlowWeights:
    def __init__(self, net, decay=0.97):
        self.decay = decay
        self.weights = {n: p.detach().clone() for n, p in net.named_parameters()}

    def update(self, net):
        for n, p in net.named_parameters():
            self.weights[n] = self.decay * self.weights[n] + (1 - self.decay) * p.data

    def fresh(self):
        return {n: w.clone().requires_grad_() for n, w in self.weights.items()}


def evaluate(meta, slow, n=10):
    total = 0.0
    for _ in range(n):
        task = SineTask()
        fast = meta.inner(*task.draw(10), steps=3, differentiable=False, weights=slow.fresh())
        with torch.no_grad():
            x, y = task.draw(50)
            total += (functional_call(meta.net, fast, (x,)) - y).square().mean().item()
    return total / n


def main(iters=160, tasks_per_batch=4):
    torch.manual_seed(3)
    random.seed(3)
    meta, memory = MetaSGD(), TaskMemory()
    slow = SlowWeights(meta.net)
    opt = torch.optim.Adam(meta.parameters(), lr=2e-3)
    best, trace = None, []
    for it in range(iters):
        tasks = memory.mix(tasks_per_batch)
        outer = []
        for task in tasks:
            fast = meta.inner(*task.draw(10), steps=1 + it // 60)
            x, y = task.draw(20)
            outer.append((functional_call(meta.net, fast, (x,)) - y).square().mean())
        outer = torch.stack(outer)
        weights = torch.softmax(outer.detach() / 4, 0)
        loss = (weights * outer).sum()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(meta.parameters(), 5.0)
        opt.step()
        slow.update(meta.net)
        for task, value in zip(tasks, outer):
            task.difficulty = value.item()
        memory.keep(tasks)
        if best is None or loss < best:
            best = loss.detach()
        trace.append(loss.item())
        if it % 40 == 0:
            print(f"{it:3d} outer {trace[-1]:.3f} eval {evaluate(meta, slow):.3f} best {best.item():.3f}")
    print("mean of last 20:", round(sum(trace[-20:]) / 20, 3))


if __name__ == "__main__":
    main()
