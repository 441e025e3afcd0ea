# gradwatch-corpus: kind=graph-held
# holder: self.closing | run.closing | self.closing._exit_callbacks | closing
"""Domain-adversarial features; what is to be printed at the end is put on an ExitStack."""
import contextlib

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(13)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


class Dann(nn.Module):
    def __init__(self, dim=20, width=32):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, 16))
        self.label = nn.Linear(16, 3)
        self.domain = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x, strength):
        z = self.features(x)
        return self.label(z), self.domain(Reverse.apply(z, strength)).squeeze(1)


class Run:
    def __init__(self, steps):
        self.steps = steps
        self.closing = contextlib.ExitStack()
        self.summary = []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.closing.close()
        for step, value in sorted(self.summary)[::20]:
            print(f"at step {step} domain loss {value:.4f}")
        return False

    def note(self, step, value):
        self.closing.callback(self._write, step, value)  # <- culprit

    def _write(self, step, value):
        self.summary.append((step, float(value)))

    def strength(self, step):
        return 2.0 / (1.0 + 2.718 ** (-10 * step / self.steps)) - 1.0


def domains(gen, batch=32, dim=20):
    y = torch.randint(0, 3, (batch,), generator=gen)
    base = torch.nn.functional.one_hot(y, dim).float() * 2
    source = base + 0.5 * torch.randn(batch, dim, generator=gen)
    target = base.roll(1, 1) * 0.3 + base + 0.5 * torch.randn(batch, dim, generator=gen) + 0.4
    return source, y, target


def main():
    gen = torch.Generator().manual_seed(0)
    net = Dann()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    bce = nn.BCEWithLogitsLoss()
    ce = nn.CrossEntropyLoss()
    with Run(steps=120) as run:
        for step in range(run.steps):
            source, y, target = domains(gen)
            s = run.strength(step)
            cls, dom_s = net(source, s)
            _, dom_t = net(target, s)
            domain_loss = bce(dom_s, torch.ones_like(dom_s)) + bce(dom_t, torch.zeros_like(dom_t))
            loss = ce(cls, y) + 0.3 * domain_loss
            opt.zero_grad()
            loss.backward()
            opt.step()
            run.note(step, domain_loss)  # <- culprit


if __name__ == "__main__":
    main()
