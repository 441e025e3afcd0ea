# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
"""Tune per-layer step sizes by differentiating through a few inner updates."""
import torch
import torch.nn.functional as F


class Unrolled:
    def __init__(self, sizes, gen):
        self.fast = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            self.fast.append((torch.randn(a, b, generator=gen) / a ** 0.5).requires_grad_())
            self.fast.append(torch.zeros(b, requires_grad=True))
        self.log_lr = torch.full((len(self.fast),), -2.5, requires_grad=True)

    def predict(self, x, params=None):
        params = self.fast if params is None else params
        for i in range(0, len(params), 2):
            x = x @ params[i] + params[i + 1]
            if i + 2 < len(params):
                x = torch.tanh(x)
        return x

    def inner(self, batches):
        params = self.fast  # <- culprit
        for x, y in batches:
            loss = F.mse_loss(self.predict(x, params), y)
            grads = torch.autograd.grad(loss, params, create_graph=True)
            rates = self.log_lr.exp()
            params = [p - rates[i] * g for i, (p, g) in enumerate(zip(params, grads))]
        return params

    def commit(self, params):
        self.fast = [p if p.requires_grad else p.requires_grad_() for p in params]  # <- culprit


class Plant:
    def __init__(self, gen):
        self.gen = gen
        self.mix = torch.randn(4, 2, generator=gen)

    def batch(self, n=24):
        x = torch.randn(n, 4, generator=self.gen)
        return x, torch.sin(x @ self.mix)


def main(rounds=60, k=2):
    gen = torch.Generator().manual_seed(8)
    plant = Plant(gen)
    learner = Unrolled([4, 12, 2], gen)
    meta = torch.optim.Adam([learner.log_lr], lr=0.02)
    curve = []
    for r in range(rounds):
        params = learner.inner([plant.batch() for _ in range(k)])
        xv, yv = plant.batch(64)
        val = F.mse_loss(learner.predict(xv, params), yv)
        (g,) = torch.autograd.grad(val, [learner.log_lr], retain_graph=True)
        meta.zero_grad()
        learner.log_lr.grad = g.clamp(-1, 1)
        meta.step()
        learner.commit(params)
        curve.append(val.item())
        if r % 15 == 0:
            print(r, round(curve[-1], 4), [round(v, 3) for v in learner.log_lr.exp().tolist()])
    print("last", sum(curve[-5:]) / 5)


if __name__ == "__main__":
    main()
