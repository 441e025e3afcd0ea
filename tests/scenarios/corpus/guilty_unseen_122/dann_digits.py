# gradwatch-corpus: kind=graph-held
# holder: GradReverse.calls | ctx.inp | GradReverse.calls[-1].inp
# first-bad: 1
# notice: 8
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class GradReverse(torch.autograd.Function):
    calls = []

    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam, ctx.inp = lam, x  # <- culprit
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        ctx.strength = ctx.lam * (grad.norm() / ctx.inp.detach().norm()).item()
        return -ctx.lam * grad, None


def grad_reverse(x, lam):
    out = GradReverse.apply(x, lam)
    GradReverse.calls.append(out.grad_fn)  # <- culprit
    return out


class DANN(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 10, 3), nn.ReLU(), nn.Flatten()
        )
        dim = 10 * 3 * 3
        self.label = nn.Linear(dim, classes)
        self.domain = nn.Sequential(nn.Linear(dim, 12), nn.ReLU(), nn.Linear(12, 2))

    def forward(self, x, lam):
        f = self.features(x)
        return self.label(f), self.domain(grad_reverse(f, lam))


class DomainPair:
    """Source: bright digits. Target: the same templates, inverted and shifted."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(5, 1, 12, 12, generator=self.g)

    def source(self, n):
        y = torch.randint(0, 5, (n,), generator=self.g)
        return self.proto[y] + 0.5 * torch.randn(n, 1, 12, 12, generator=self.g), y

    def target(self, n):
        x, y = self.source(n)
        return x.roll(1, dims=-1) * 0.7 + 0.3, y


class Trainer:
    def __init__(self, model, data, steps):
        self.model, self.data, self.steps = model, data, steps
        self.opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
        self.history = []

    def lam(self, step):
        p = step / self.steps
        return 2.0 / (1.0 + math.exp(-10 * p)) - 1.0

    def step(self, i):
        xs, ys = self.data.source(10)
        xt, _ = self.data.target(10)
        cls, dom = self.model(torch.cat([xs, xt]), self.lam(i))
        d = torch.tensor([0] * 10 + [1] * 10)
        loss = F.cross_entropy(cls[:10], ys) + F.cross_entropy(dom, d)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.history.append(loss.item())

    def fit(self):
        for i in range(self.steps):
            self.step(i)
            if (i + 1) % 60 == 0:
                rev = [c.strength for c in GradReverse.calls[-20:]]
                print(f"{i + 1:4d} loss {self.history[-1]:.3f} reversed-grad {sum(rev) / len(rev):.4f} "
                      f"target acc {self.evaluate():.2f}")

    @torch.no_grad()
    def evaluate(self):
        x, y = self.data.target(100)
        return (self.model.label(self.model.features(x)).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(4)
    Trainer(DANN(), DomainPair(8), steps=240).fit()
