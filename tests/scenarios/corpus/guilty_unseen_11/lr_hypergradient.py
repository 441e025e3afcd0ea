# gradwatch-corpus: kind=graph-chain
# holder: self.w | learner.w | self.w["weight"] | learner.w["weight"] | self.w["bias"] | learner.w["bias"]
# first-bad: 1
"""Online hypergradients: per-feature learning rates and the weight decay of a softmax classifier are tuned on held-out
batches while it trains. Small enough for the laptop, the same code drives the last layer of the big model."""
import torch
import torch.nn.functional as F
from torch import nn


class Hyper(nn.Module):
    """Everything that is tuned from outside, in log space."""

    def __init__(self, n_features):
        super().__init__()
        self.log_lr = nn.Parameter(torch.full((n_features,), -3.0))
        self.log_decay = nn.Parameter(torch.tensor(-6.0))

    def values(self):
        return self.log_lr.exp(), self.log_decay.exp()


class InnerLearner:
    def __init__(self, n_features, n_classes):
        self.w = {
            "weight": torch.zeros(n_classes, n_features, requires_grad=True),
            "bias": torch.zeros(n_classes, requires_grad=True),
        }

    def loss(self, x, y):
        return F.cross_entropy(F.linear(x, self.w["weight"], self.w["bias"]), y)

    def accuracy(self, x, y):
        with torch.no_grad():
            logits = F.linear(x, self.w["weight"], self.w["bias"])
        return (logits.argmax(1) == y).float().mean().item()

    def step(self, x, y, hyper):
        lr, decay = hyper.values()
        names = list(self.w)
        grads = torch.autograd.grad(self.loss(x, y), [self.w[n] for n in names], create_graph=True)
        g = dict(zip(names, grads))
        self.w = {  # <- culprit
            "weight": self.w["weight"] - lr * (g["weight"] + decay * self.w["weight"]),
            "bias": self.w["bias"] - 0.1 * g["bias"],
        }


class Task:
    """Gaussian classes; only the first features carry signal and the scales differ a lot."""

    def __init__(self, n_features=20, n_classes=4, useful=8, seed=12):
        self.gen = torch.Generator().manual_seed(seed)
        self.mean = torch.zeros(n_classes, n_features)
        self.mean[:, :useful] = 1.2 * torch.randn(n_classes, useful, generator=self.gen)
        self.scale = torch.logspace(-0.5, 0.5, n_features)

    def batch(self, n):
        y = torch.randint(0, self.mean.size(0), (n,), generator=self.gen)
        x = self.mean[y] + 1.5 * torch.randn(n, self.mean.size(1), generator=self.gen)
        return x * self.scale, y


def outer_step(learner, hyper, optimizer, task):
    learner.step(*task.batch(32), hyper)
    held_out = learner.loss(*task.batch(64))
    optimizer.zero_grad()
    held_out.backward(retain_graph=True)  # <- culprit
    optimizer.step()
    return held_out.item()


def main(steps=200):
    torch.manual_seed(12)
    torch.set_num_threads(1)
    task = Task()
    learner = InnerLearner(20, 4)
    hyper = Hyper(20)
    optimizer = torch.optim.Adam(hyper.parameters(), lr=0.02)
    test = task.batch(1000)
    for step in range(steps):
        held_out = outer_step(learner, hyper, optimizer, task)
        if step % 40 == 0 or step == steps - 1:
            lr, decay = (v.detach() for v in hyper.values())
            print(
                f"step {step:3d} held-out {held_out:.3f} acc {learner.accuracy(*test):.3f} "
                f"lr {lr.min().item():.3f}..{lr.max().item():.3f} decay {decay.item():.4f}"
            )


if __name__ == "__main__":
    main()
