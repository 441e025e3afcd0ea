# gradwatch-corpus: kind=none
"""Meta-learning with two heads whose gradients quarrel: second-order inner step, then PCGrad on the shared trunk, in an optimizer of its own."""
from collections import deque

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


class PCGrad(torch.optim.Adam):
    """Adam that takes several losses and projects their gradients off each other before it steps."""

    def __init__(self, params, **kw):
        params = list(params)
        super().__init__(params, **kw)
        self.flat_params = params
        self.conflicts = deque(maxlen=100)

    def gradients(self, losses):
        last = len(losses) - 1
        for i, loss in enumerate(losses):
            yield torch.autograd.grad(loss, self.flat_params, retain_graph=i < last, materialize_grads=True)

    def project(self, grads):
        flat = [torch.cat([g.flatten() for g in gs]) for gs in grads]
        total = torch.zeros_like(flat[0])
        for i, gi in enumerate(flat):
            gi = gi.clone()
            for j, gj in enumerate(flat):
                if i != j:
                    dot = gi @ gj
                    self.conflicts.append(float(dot < 0))
                    if dot < 0:
                        gi -= dot / gj.pow(2).sum().clamp_min(1e-12) * gj
            total += gi
        return total

    def step_on(self, losses):
        total = self.project(list(self.gradients(losses)))
        at = 0
        for p in self.flat_params:
            p.grad = total[at:at + p.numel()].view_as(p)
            at += p.numel()
        self.step()
        return [x.item() for x in losses]

    def quarrel(self):
        return sum(self.conflicts) / max(1, len(self.conflicts))


class TwoHeads(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.value, self.sign = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.value(h).squeeze(-1), self.sign(h).squeeze(-1)


class TaskSampler:
    def __init__(self, seed, n=20):
        self.g, self.n = torch.Generator().manual_seed(seed), n

    def __call__(self):
        w = torch.randn(4, generator=self.g)
        x = torch.randn(2, self.n, 4, generator=self.g)
        y = torch.sin(x @ w)
        s = ((x * w.roll(1)).sum(-1) > 0).float()
        return (x[0], y[0], s[0]), (x[1], y[1], s[1])


class Inner:
    def __init__(self, model, lr=0.1):
        self.model, self.lr = model, lr

    def losses(self, weights, batch):
        x, y, s = batch
        value, logit = functional_call(self.model, weights, (x,))
        return F.mse_loss(value, y), F.binary_cross_entropy_with_logits(logit, s)

    def adapt(self, weights, support):
        grads = torch.autograd.grad(sum(self.losses(weights, support)), list(weights.values()), create_graph=True)
        return {k: w - self.lr * g for (k, w), g in zip(weights.items(), grads)}


class BestKeeper:
    """A copy of the weights at the best smoothed query loss."""

    def __init__(self):
        self.score, self.best, self.weights = None, float("inf"), None

    def update(self, value, model):
        self.score = value if self.score is None else 0.95 * self.score + 0.05 * value
        if self.score < self.best:
            self.best = self.score
            self.weights = {k: v.detach().clone() for k, v in model.state_dict().items()}


def main(iterations=220):
    torch.manual_seed(6)
    model, sampler, keeper = TwoHeads(), TaskSampler(6), BestKeeper()
    inner = Inner(model)
    opt = PCGrad(model.parameters(), lr=2e-3)
    for it in range(iterations):
        pairs = []
        for _ in range(2):
            support, query = sampler()
            fast = inner.adapt(dict(model.named_parameters()), support)
            pairs.append(inner.losses(fast, query))
        a, b = opt.step_on([torch.stack(col).mean() for col in zip(*pairs)])
        keeper.update(a + b, model)
        if it % 55 == 54:
            print(f"{it + 1:4d}  value {a:.3f}  sign {b:.3f}  quarrel {opt.quarrel():.2f}  best {keeper.best:.3f}")
    model.load_state_dict(keeper.weights)


if __name__ == "__main__":
    main()
