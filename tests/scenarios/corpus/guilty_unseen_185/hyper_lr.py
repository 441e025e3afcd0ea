# gradwatch-corpus: kind=graph-chain
# holder: self.weights[name] | self.weights | learner.weights
# first-bad: 1
# notice: 100
"""Online hypergradient tuning of per-layer step sizes over a short unroll."""
import math

import torch
import torch.nn.functional as F


class UnrolledLearner:
    """Plain SGD whose step sizes are tuned through the last few updates."""

    def __init__(self, shapes, unroll, lr=0.05):
        self.unroll = unroll
        self.age = 0
        self.weights = {}
        for name, shape in shapes.items():
            scale = 1.0 / math.sqrt(shape[-1])
            self.weights[name] = (scale * torch.randn(shape)).requires_grad_()
        self.log_lr = {name: torch.tensor(math.log(lr), requires_grad=True) for name in shapes}

    def predict(self, x):
        h = torch.tanh(F.linear(x, self.weights["w1"], self.weights["b1"]))
        return F.linear(h, self.weights["w2"], self.weights["b2"]).squeeze(-1)

    def update(self, grads):
        for name, grad in grads.items():
            self.weights[name] = self.weights[name] - self.log_lr[name].exp() * grad  # <- culprit

    def truncate(self):
        self.age = (self.age + 1) % self.unroll
        if self.age == self.unroll:  # <- culprit
            for name, w in self.weights.items():
                self.weights[name] = w.detach().requires_grad_()


def inner_grads(learner, x, y):
    fast = {n: w.detach().requires_grad_() for n, w in learner.weights.items()}
    h = torch.tanh(F.linear(x, fast["w1"], fast["b1"]))
    loss = F.mse_loss(F.linear(h, fast["w2"], fast["b2"]).squeeze(-1), y)
    grads = torch.autograd.grad(loss, list(fast.values()))
    return dict(zip(fast, (g.clamp(-1, 1) for g in grads))), loss.item()


class DriftingTask:
    def __init__(self, dim, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.coef = torch.randn(dim, generator=self.gen)

    def sample(self, n):
        x = torch.randn(n, len(self.coef), generator=self.gen)
        return x, torch.sin(x @ self.coef)

    def drift(self):
        self.coef += 0.01 * torch.randn(self.coef.shape, generator=self.gen)


def main(steps=420):
    torch.manual_seed(41)
    task = DriftingTask(6, seed=8)
    shapes = {"w1": (24, 6), "b1": (24,), "w2": (1, 24), "b2": (1,)}
    learner = UnrolledLearner(shapes, unroll=6)
    hyper = torch.optim.Adam(learner.log_lr.values(), lr=0.01)
    for step in range(steps):
        grads, train_loss = inner_grads(learner, *task.sample(32))
        learner.update(grads)

        x, y = task.sample(32)
        val_loss = F.mse_loss(learner.predict(x), y)
        hyper.zero_grad()
        val_loss.backward(retain_graph=True, inputs=list(learner.log_lr.values()))
        hyper.step()
        learner.truncate()
        task.drift()

        if step % 60 == 0:
            rates = " ".join(f"{n}:{v.exp().item():.4f}" for n, v in learner.log_lr.items())
            print(f"step {step} train {train_loss:.4f} val {val_loss.item():.4f} {rates}")


if __name__ == "__main__":
    main()
