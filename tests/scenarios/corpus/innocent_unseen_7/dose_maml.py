# gradwatch-corpus: kind=none
# about: second-order inner loop builds a long chain with create_graph, and two states follow their old values, but the chain ends with the task batch and the states are detached
"""Meta learning of patient specific dose-response curves with a few blood samples each."""
import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(27)


class Curve(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Softplus(), nn.Linear(width, width), nn.Softplus(),
                                 nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


class Pace:
    """Inner step size, learned; reports and penalises jumps against its own slow average."""

    def __init__(self, start):
        self.raw = nn.Parameter(torch.tensor(start).log())
        self._slow = torch.tensor(start)

    @property
    def slow(self):
        return self._slow

    @slow.setter
    def slow(self, value):
        self._slow = self._slow + 0.05 * (value.detach() - self._slow)

    def __call__(self):
        now = self.raw.exp()
        self.slow = now
        return now

    def jump(self):
        return (self.raw.exp() / self._slow - 1) ** 2


def patients(n, gen):
    ka, ke = 0.6 + torch.rand(n, generator=gen), 0.1 + 0.2 * torch.rand(n, generator=gen)
    size = 1 + torch.rand(n, generator=gen)
    for i in range(n):
        t = 8 * torch.rand(18, 1, generator=gen)
        c = size[i] * ka[i] / (ka[i] - ke[i]) * (torch.exp(-ke[i] * t) - torch.exp(-ka[i] * t))
        c = c + 0.02 * torch.randn(c.shape, generator=gen)
        yield t[:8], c[:8], t[8:], c[8:]


def adapt(model, pace, t, c, steps=3):
    fast = dict(model.named_parameters())
    for _ in range(steps):
        inner = (functional_call(model, fast, (t,)) - c).pow(2).mean()
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: w - pace * g for (k, w), g in zip(fast.items(), grads)}
    return fast


def main(rounds=320, cohort=3):
    gen = torch.Generator().manual_seed(3)
    model, pace = Curve(), Pace(0.03)
    opt = torch.optim.Adam([*model.parameters(), pace.raw], lr=3e-3)
    level = torch.zeros(())
    for r in range(rounds):
        outer, step = [], pace()
        for t0, c0, t1, c1 in patients(cohort, gen):
            fast = adapt(model, step, t0, c0)
            outer.append((functional_call(model, fast, (t1,)) - c1).pow(2).mean())
        spread = torch.stack(outer)
        target = spread.mean() + 0.1 * torch.relu(spread - level).mean() + 0.01 * pace.jump()
        opt.zero_grad()
        target.backward()
        opt.step()
        level = torch.lerp(level, spread.detach().max(), 0.1)
        if r % 40 == 0:
            print(f"round {r:3d} outer {spread.mean().item():.4f} worst level {level.item():.4f} "
                  f"step {step.item():.4f} slow {pace.slow.item():.4f}")


if __name__ == "__main__":
    main()
