# gradwatch-corpus: kind=none
"""Second-order MAML on sine waves with learned inner step sizes (Meta-SGD).
I wrote the functional forward by hand, one sees better what is differentiated."""
import math
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class Waves:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def uniform(self, low, high, *shape):
        return low + (high - low) * torch.rand(*shape, generator=self.gen)

    def task(self):
        amplitude, phase = self.uniform(0.5, 3.0, 1), self.uniform(0.0, math.pi, 1)

        def draw(n):
            x = self.uniform(-4.0, 4.0, n, 1)
            return x, amplitude * torch.sin(x + phase)

        return draw


class MetaLearner(nn.Module):
    def __init__(self, width=32, inner_steps=2):
        super().__init__()
        sizes = [1, width, width, 1]
        self.inner_steps = inner_steps
        self.weights = nn.ParameterList()
        self.log_alpha = nn.ParameterList()
        for a, b in zip(sizes, sizes[1:]):
            for p in (torch.randn(b, a) * math.sqrt(1.5 / a), torch.zeros(b)):
                self.weights.append(nn.Parameter(p))
                self.log_alpha.append(nn.Parameter(torch.full((), math.log(0.01))))

    @staticmethod
    def forward_with(weights, x):
        pairs = list(zip(weights[::2], weights[1::2]))
        for w, b in pairs[:-1]:
            x = torch.tanh(F.linear(x, w, b))
        return F.linear(x, *pairs[-1])

    def adapt(self, x, y, differentiable):
        fast = list(self.weights)
        trace = []
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.forward_with(fast, x), y)
            trace.append(loss.item())
            grads = torch.autograd.grad(loss, fast, create_graph=differentiable)
            fast = [w - a.exp() * g for w, a, g in zip(fast, self.log_alpha, grads)]
        return fast, trace

    def query_loss(self, draw, shots, differentiable=True):
        fast, trace = self.adapt(*draw(shots), differentiable)
        x, y = draw(shots)
        return F.mse_loss(self.forward_with(fast, x), y), trace


class Validation:
    """Adaptation on fixed tasks. Needs gradients inside, hence everything that comes out is a number."""

    def __init__(self, waves, tasks, shots):
        self.sets = []
        for _ in range(tasks):
            draw = waves.task()
            self.sets.append((draw(shots), draw(50)))

    def __call__(self, learner):
        total = 0.0
        for (x, y), (qx, qy) in self.sets:
            fast, _ = learner.adapt(x, y, differentiable=False)
            with torch.no_grad():
                total += F.mse_loss(learner.forward_with(fast, qx), qy).item()
        return total / len(self.sets)


def main(iterations=300, tasks_per_batch=3, shots=10):
    torch.manual_seed(61)
    torch.set_num_threads(1)
    waves = Waves(62)
    learner = MetaLearner()
    optimizer = torch.optim.Adam(learner.parameters(), lr=2e-3)
    validate = Validation(Waves(63), tasks=8, shots=shots)
    recent = deque(maxlen=25)
    best = (float("inf"), None)
    for it in range(iterations):
        meta_loss = torch.zeros(())
        for _ in range(tasks_per_batch):
            loss, _ = learner.query_loss(waves.task(), shots)
            meta_loss += loss / tasks_per_batch
        optimizer.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
        optimizer.step()
        recent.append(meta_loss.item())
        if it % 50 == 49:
            score = validate(learner)
            if score < best[0]:
                best = (score, {k: v.clone() for k, v in learner.state_dict().items()})
            print(f"it {it + 1:3d} meta loss {sum(recent) / len(recent):.3f} validation {score:.3f}")
    learner.load_state_dict(best[1])
    print(f"best validation {best[0]:.3f}, again {validate(learner):.3f}")


if __name__ == "__main__":
    main()
