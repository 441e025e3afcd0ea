# gradwatch-corpus: kind=graph-chain
# holder: fast | self.fast | learner.fast
# first-bad: 1
"""Online adaptation to a drifting sine: functional updates of the fast weights."""
import math

import torch
import torch.nn.functional as F


def init_weights(sizes, seed):
    g = torch.Generator().manual_seed(seed)
    ws = {}
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        ws[f"w{i}"] = (torch.randn(b, a, generator=g) / math.sqrt(a)).requires_grad_()
        ws[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return ws


def predict(ws, x):
    depth = len(ws) // 2
    for i in range(depth):
        x = F.linear(x, ws[f"w{i}"], ws[f"b{i}"])
        if i < depth - 1:
            x = torch.tanh(x)
    return x


class Stream:
    """y = a sin(x + phase), with the phase drifting slowly."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.phase, self.amp = 0.0, 1.0

    def __iter__(self):
        return self

    def __next__(self):
        self.phase += 0.01
        self.amp = 1.0 + 0.2 * math.sin(self.phase)
        x = torch.rand(16, 1, generator=self.g) * 6 - 3
        return x, self.amp * torch.sin(x + self.phase)


class FastLearner:
    def __init__(self, sizes, inner_lr, clip):
        self.slow = init_weights(sizes, 7)
        self.fast = dict(self.slow)
        self.inner_lr, self.clip = inner_lr, clip

    def adapt(self, x, y):
        loss = F.mse_loss(predict(self.fast, x), y)
        grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
        self.fast = {k: w - self.inner_lr * g.clamp(-self.clip, self.clip)
                     for (k, w), g in zip(self.fast.items(), grads)}  # <- culprit
        return loss.item()

    @torch.no_grad()
    def distance(self):
        return math.sqrt(sum(float((self.fast[k] - self.slow[k]).pow(2).sum()) for k in self.slow))


def main(steps=420):
    torch.manual_seed(7)
    learner = FastLearner([1, 20, 20, 1], inner_lr=0.05, clip=1.0)
    smooth = None
    for step, (x, y) in zip(range(steps), Stream(7)):
        loss = learner.adapt(x, y)
        smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
        if step % 60 == 0:
            print(f"{step:4d} mse {smooth:.4f} moved {learner.distance():.3f}")


if __name__ == "__main__":
    main()
