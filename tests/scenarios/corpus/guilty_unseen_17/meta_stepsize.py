# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | self.fast[n] | fast
# first-bad: 1
"""Learned per-tensor step sizes for fast adaptation on drifting sinusoid tasks.
First-order Meta-SGD, where the learner is warm-started from the task before."""
import math
import random

import torch
from torch import nn
from torch.func import functional_call


class SinusoidTask:
    def __init__(self, amplitude, phase):
        self.amplitude, self.phase = amplitude, phase

    def sample(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amplitude * torch.sin(x + self.phase)


class DriftingTasks:
    """A random walk through the (amplitude, phase) plane, task by task."""

    def __init__(self, n_tasks, seed):
        self.n_tasks, self.seed = n_tasks, seed

    def __len__(self):
        return self.n_tasks

    def __iter__(self):
        rng = random.Random(self.seed)
        amp, phase = 1.0, 0.0
        for _ in range(self.n_tasks):
            amp = min(max(amp + rng.gauss(0, 0.1), 0.3), 2.0)
            phase = (phase + rng.gauss(0, 0.1)) % (2 * math.pi)
            yield SinusoidTask(amp, phase)


class StepSizes(nn.Module):
    """One log step size for each tensor of the base model."""

    def __init__(self, base, init=0.02):
        super().__init__()
        self.names = [n for n, _ in base.named_parameters()]
        self.log_lr = nn.ParameterDict({
            n.replace(".", "_"): nn.Parameter(torch.tensor(math.log(init))) for n in self.names})

    def __getitem__(self, name):
        return self.log_lr[name.replace(".", "_")].exp()


class BaseLearner:
    def __init__(self, module, loss_fn):
        self.module, self.loss_fn = module, loss_fn
        self.reset()

    def reset(self):
        self.fast = {n: p.detach().clone().requires_grad_() for n, p in self.module.named_parameters()}

    def predict(self, x):
        return functional_call(self.module, self.fast, (x,))

    def loss(self, batch):
        x, y = batch
        return self.loss_fn(self.predict(x), y)


class MetaSGDLearner(BaseLearner):
    def __init__(self, module, loss_fn, step_sizes, max_norm=2.0):
        super().__init__(module, loss_fn)
        self.step_sizes = step_sizes
        self.max_norm = max_norm

    def adapt(self, support, steps):
        for _ in range(steps):
            grads = torch.autograd.grad(self.loss(support), list(self.fast.values()))
            norm = torch.linalg.vector_norm(torch.stack([g.norm() for g in grads]))
            scale = (self.max_norm / (norm + 1e-6)).clamp(max=1.0)
            moves = {n: self.step_sizes[n] * (scale * g) for n, g in zip(self.fast, grads)}
            self.fast = {n: w - moves[n] for n, w in self.fast.items()}  # <- culprit


class MetaTrainer:
    def __init__(self, learner, step_sizes, meta_lr=0.01, shots=10, queries=20, inner_steps=1):
        self.learner, self.step_sizes = learner, step_sizes
        self.shots, self.queries, self.inner_steps = shots, queries, inner_steps
        self.meta_opt = torch.optim.Adam(step_sizes.parameters(), lr=meta_lr)

    def meta_step(self, task):
        support, query = task.sample(self.shots), task.sample(self.queries)
        self.learner.adapt(support, self.inner_steps)
        query_loss = self.learner.loss(query)
        self.meta_opt.zero_grad()
        query_loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.step_sizes.parameters(), 1.0)
        self.meta_opt.step()
        with torch.no_grad():
            for p in self.step_sizes.parameters():
                p.clamp_(min=math.log(1e-4), max=math.log(0.1))
        return query_loss.item()

    def fit(self, tasks, log_every=60):
        window = []
        for i, task in enumerate(tasks):
            window.append(self.meta_step(task))
            if len(window) == log_every:
                print(f"task {i + 1:4d}/{len(tasks)}  query mse {sum(window) / len(window):.4f}")
                window = []


def main():
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 1))
    step_sizes = StepSizes(net)
    learner = MetaSGDLearner(net, nn.functional.mse_loss, step_sizes)
    MetaTrainer(learner, step_sizes).fit(DriftingTasks(240, seed=17))
    for name in step_sizes.names:
        print(f"{name:10s} step size {step_sizes[name].item():.4f}")


if __name__ == "__main__":
    main()
