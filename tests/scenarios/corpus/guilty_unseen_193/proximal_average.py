# gradwatch-corpus: kind=graph-chain
# holder: avg.shadow | self.shadow | self.shadow[name]
# first-bad: 1
# Continual fine-tuning of a tabular classifier, anchored to a moving average of its own weights.
import torch
import torch.nn as nn
import torch.nn.functional as F

REGISTRY = {}


def register(name):
    def deco(fn):
        REGISTRY[name] = fn
        return fn
    return deco


@register("tabnet-s")
def build_small(din, classes):
    return nn.Sequential(nn.Linear(din, 32), nn.SELU(), nn.Linear(32, 32), nn.SELU(), nn.Linear(32, classes))


class WeightAverage:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    def update(self, model):
        for name, p in model.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - self.decay)  # <- culprit

    def penalty(self, model):
        return sum((p - self.shadow[n]).pow(2).sum() for n, p in model.named_parameters())

    @torch.no_grad()
    def evaluate(self, model, x, y):
        own = {n: p.clone() for n, p in model.named_parameters()}
        for n, p in model.named_parameters():
            p.data.copy_(self.shadow[n])
        acc = (model(x).argmax(1) == y).float().mean().item()
        for n, p in model.named_parameters():
            p.data.copy_(own[n])
        return acc


class Stream:
    """Tasks drift: the class boundaries rotate every `period` batches."""

    def __init__(self, din, classes, period, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(din, classes, generator=self.g)
        self.din, self.period, self.n = din, period, 0

    def batch(self, size):
        if self.n and self.n % self.period == 0:
            self.w = self.w + 0.5 * torch.randn(self.w.shape, generator=self.g)
        self.n += 1
        return self.peek(size)

    def peek(self, size):
        x = torch.randn(size, self.din, generator=self.g)
        return x, (x @ self.w).argmax(1)


def main(arch="tabnet-s", din=14, classes=5, steps=420, batch=64, mu=0.05, decay=0.98, lr=1e-3):
    torch.manual_seed(0)
    model = REGISTRY[arch](din, classes)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    avg = WeightAverage(model, decay)
    stream = Stream(din, classes, 120, seed=31)
    for step in range(steps):
        x, y = stream.batch(batch)
        loss = F.cross_entropy(model(x), y) + mu * avg.penalty(model)
        opt.zero_grad()
        loss.backward()
        opt.step()
        avg.update(model)
        if (step + 1) % 105 == 0:
            xv, yv = stream.peek(256)
            print(f"{step + 1:4d} loss {loss.item():.4f} averaged acc {avg.evaluate(model, xv, yv):.3f}")


if __name__ == "__main__":
    main()
