# gradwatch-corpus: kind=none
"""MAML on sinusoids, second order, learnable per-parameter inner rates (Meta-SGD style)."""
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(42)


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 2.5 * torch.rand(1)
        self.phase = math.pi * torch.rand(1)

    def sample(self, k):
        x = -5 + 10 * torch.rand(k, 1)
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner(nn.Module):
    def __init__(self, hidden=24, inner_lr=0.02):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 1))
        self.rates = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.full_like(p, inner_lr)) for n, p in self.net.named_parameters()})
        self.fast = None

    def adapt(self, x, y, steps, create_graph=True):
        self.fast = OrderedDict(self.net.named_parameters())
        trace = []
        for _ in range(steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=create_graph)
            self.fast = OrderedDict(
                (n, w - self.rates[n.replace(".", "_")] * g) for (n, w), g in zip(self.fast.items(), grads))
            trace.append(loss)
        return trace

    def query(self, x, y):
        return F.mse_loss(functional_call(self.net, self.fast, (x,)), y)


class Meter:
    def __init__(self, beta=0.95):
        self.beta, self.value, self.all = beta, None, []

    def add(self, v):
        v = v.detach()
        self.value = v if self.value is None else self.beta * self.value + (1 - self.beta) * v
        self.all.append(self.value)


def main(meta_iters=300, tasks_per_batch=2, shots=8):
    learner = MetaLearner()
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    pre, post = Meter(), Meter()
    for it in range(meta_iters):
        meta_loss = 0
        traces = []
        for _ in range(tasks_per_batch):
            task = SineTask()
            traces.append(learner.adapt(*task.sample(shots), steps=2))
            q = learner.query(*task.sample(shots))
            meta_loss += q
            # multi-step loss: the inner losses count a little as well
            meta_loss += 0.05 * traces[-1][-1]
        meta_loss = meta_loss / tasks_per_batch
        opt.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
        opt.step()

        pre.add(torch.stack([t[0] for t in traces]).mean())
        post.add(meta_loss)
        if (it + 1) % 60 == 0:
            print(f"meta-iter {it + 1}: before {pre.value:.3f} after {post.value:.3f} (best {min(post.all):.3f})")

    task = SineTask()
    xs, ys = task.sample(shots)
    trace = learner.adapt(xs, ys, steps=6, create_graph=False)
    print("test task:", " ".join(f"{l.item():.3f}" for l in trace))


if __name__ == "__main__":
    main()
