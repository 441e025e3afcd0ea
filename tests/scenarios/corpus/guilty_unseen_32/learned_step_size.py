# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | inner.fast
# first-bad: 1
"""Online hyper-gradient: per-layer step sizes learned against a validation batch."""
import torch
import torch.nn.functional as F


class Task:
    """Slowly rotating regression problem."""

    def __init__(self, dim=8, seed=2):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(dim, 1, generator=self.gen)
        self.dim = dim

    def advance(self):
        self.w = self.w + 0.02 * torch.randn(self.w.shape, generator=self.gen)

    def sample(self, n):
        x = torch.randn(n, self.dim, generator=self.gen)
        return x, torch.tanh(x @ self.w)


class FastLearner:
    def __init__(self, dim, width):
        self.fast = [
            (torch.randn(dim, width) / dim ** 0.5).requires_grad_(),
            torch.zeros(width, requires_grad=True),
            (torch.randn(width, 1) / width ** 0.5).requires_grad_(),
            torch.zeros(1, requires_grad=True),
        ]

    def predict(self, x):
        w1, b1, w2, b2 = self.fast
        return torch.tanh(x @ w1 + b1) @ w2 + b2

    def adapt(self, x, y, rates):
        loss = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(loss, self.fast, create_graph=True)
        self.fast = [w - r * g for w, g, r in zip(self.fast, grads, rates)]  # <- culprit
        return loss


class StepSizes:
    def __init__(self, n, start=0.05):
        self.log_rate = torch.full((n,), start).log().requires_grad_()

    def __call__(self):
        return self.log_rate.exp().unbind()


def run(rounds=70, inner_steps=2):
    torch.manual_seed(7)
    task = Task()
    learner = FastLearner(task.dim, 12)
    sizes = StepSizes(4)
    meta = torch.optim.Adam([sizes.log_rate], lr=2e-2)
    for r in range(rounds):
        task.advance()
        rates = sizes()
        for _ in range(inner_steps):
            learner.adapt(*task.sample(16), rates)
        xv, yv = task.sample(32)
        outer = F.mse_loss(learner.predict(xv), yv)
        meta.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_([sizes.log_rate], 1.0)
        meta.step()
        if r % 10 == 9:
            shown = ", ".join(f"{v:.3f}" for v in sizes.log_rate.exp().tolist())
            print(f"round {r + 1:3d}  val {outer.item():.4f}  rates [{shown}]")


if __name__ == "__main__":
    run()
