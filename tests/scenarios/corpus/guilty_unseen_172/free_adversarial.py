# gradwatch-corpus: kind=graph-chain
# holder: self.delta | attack.delta | trainer.attack._delta
# first-bad: 1
"""Training against a universal perturbation that is updated with the same gradient pass as the
weights; the perturbation is kept inside an epsilon ball through a tensor-valued descriptor."""
import torch
from torch import nn
from torch.nn import functional as F


class Ball:
    """Attribute whose assigned tensors are projected to [-eps, eps]."""

    def __init__(self, eps):
        self.eps = eps

    def __set_name__(self, owner, name):
        self.key = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__[self.key]

    def __set__(self, obj, value):
        obj.__dict__[self.key] = value.clamp(-self.eps, self.eps)  # <- culprit


class UniversalAttack:
    delta = Ball(0.3)

    def __init__(self, shape, rate=0.04):
        self.delta = torch.empty(shape).uniform_(-0.1, 0.1).requires_grad_()
        self.rate = rate

    def perturb(self, x):
        return x + self.delta

    def ascend(self, grad):
        self.delta = self.delta + self.rate * grad.sign()  # <- culprit


class Spectrum(nn.Module):
    def __init__(self, channels=2, n=32, classes=5):
        super().__init__()
        self.conv = nn.Conv1d(channels, 8, 5, padding=2)
        self.fc = nn.Linear(8 * n // 4, classes)

    def forward(self, x):
        return self.fc(F.max_pool1d(F.relu(self.conv(x)), 4).flatten(1))


class FreeTrainer:
    def __init__(self, model, attack, lr=0.05):
        self.model, self.attack = model, attack
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def step(self, x, y):
        logits = self.model(self.attack.perturb(x))
        loss = F.cross_entropy(logits, y)
        params = list(self.model.parameters())
        *grads, g_delta = torch.autograd.grad(loss, [*params, self.attack.delta])
        for p, g in zip(params, grads):
            p.grad = g
        self.opt.step()
        self.attack.ascend(g_delta)
        return loss.item(), (logits.argmax(1) == y).float().mean().item()


def spectra(n, seed):
    g = torch.Generator().manual_seed(seed)
    templates = torch.randn(5, 2, 32, generator=g)
    for _ in range(n):
        y = torch.randint(0, 5, (24,), generator=g)
        yield templates[y] + 0.6 * torch.randn(24, 2, 32, generator=g), y


def main(minibatches=250, replays=3):
    torch.manual_seed(22)
    trainer = FreeTrainer(Spectrum(), UniversalAttack((2, 32)))
    for i, (x, y) in enumerate(spectra(minibatches, 5)):
        for _ in range(replays):
            loss, acc = trainer.step(x, y)
        if i % 40 == 0:
            size = trainer.attack.delta.abs().mean().item()
            print(f"{i} loss {loss:.3f} acc {acc:.2f} |delta| {size:.3f}")


if __name__ == "__main__":
    main()
