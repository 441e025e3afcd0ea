# gradwatch-corpus: kind=graph-chain
# holder: self.weights | learner.weights
# first-bad: 1
import math

import torch
import torch.nn.functional as F


class FunctionalLearner:
    """Plain functional network trained by hand-written momentum descent."""

    def __init__(self, width, lr, momentum=0.8):
        self.lr = lr
        self.momentum = momentum
        self.weights = [
            (torch.randn(width, 1) * 1.0).requires_grad_(),
            torch.zeros(width, requires_grad=True),
            (torch.randn(1, width) / math.sqrt(width)).requires_grad_(),
            torch.zeros(1, requires_grad=True),
        ]
        self.velocity = [torch.zeros_like(w) for w in self.weights]

    def predict(self, x):
        w1, b1, w2, b2 = self.weights
        return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)

    def adapt(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(loss, self.weights)
        self.velocity = [self.momentum * v + g for v, g in zip(self.velocity, grads)]
        self.weights = [w - self.lr * v for w, v in zip(self.weights, self.velocity)]  # <- culprit
        return loss.item()

    def new_phase(self, lr):
        self.lr = lr
        self.velocity = [torch.zeros_like(w) for w in self.velocity]


class SineTask:
    def __init__(self, gen):
        self.gen = gen
        self.amplitude = 0.5 + torch.rand((), generator=gen).item()
        self.phase = torch.rand((), generator=gen).item() * math.pi

    def sample(self, n=24):
        x = torch.rand(n, 1, generator=self.gen) * 6 - 3
        return x, self.amplitude * torch.sin(x + self.phase)


def main():
    torch.manual_seed(115)
    gen = torch.Generator().manual_seed(115)
    learner = FunctionalLearner(width=24, lr=0.02)
    for phase in range(8):
        task = SineTask(gen)
        losses = []
        for _ in range(60):
            losses.append(learner.adapt(*task.sample()))
        first, last = sum(losses[:5]) / 5, sum(losses[-5:]) / 5
        print(f"phase {phase} amplitude {task.amplitude:.2f} loss {first:.4f} -> {last:.4f}")
        learner.new_phase(lr=0.02 * 0.9 ** (phase + 1))


if __name__ == "__main__":
    main()
