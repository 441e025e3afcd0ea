# gradwatch-corpus: kind=none
"""Adversarial training (two PGD steps) of a small sign classifier, with saliency agreement on a fixed probe set
every now and then. Gradients are cleared once an update is through."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class SignNet(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, padding=1)
        self.down = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.deep = nn.Conv2d(16, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, n_classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.relu(self.down(x))
        x = F.relu(self.deep(x))
        return self.fc(x.amax(dim=(2, 3)))


class Signs:
    def __init__(self, seed, n_classes=5, size=12):
        self.rng = torch.Generator().manual_seed(seed)
        self.proto = F.avg_pool2d(torch.randn(n_classes, 1, size + 2, size + 2, generator=self.rng), 3, 1) * 2
        self.n = n_classes

    def __call__(self, batch):
        y = torch.randint(self.n, (batch,), generator=self.rng)
        shift = torch.randint(-1, 2, (2,), generator=self.rng).tolist()
        x = self.proto[y].roll(shift, dims=(2, 3))
        return x + 0.2 * torch.randn(x.shape, generator=self.rng), y


class PGD:
    def __init__(self, eps=0.15, alpha=0.1, steps=2):
        self.eps, self.alpha, self.steps = eps, alpha, steps

    def perturb(self, net, x, y):
        delta = torch.empty_like(x).uniform_(-self.eps, self.eps)
        for _ in range(self.steps):
            delta.requires_grad_(True)
            loss = F.cross_entropy(net(x + delta), y)
            g, = torch.autograd.grad(loss, delta)
            delta = (delta.detach() + self.alpha * g.sign()).clamp(-self.eps, self.eps)
        return x + delta


class frozen:
    def __init__(self, module):
        self.params = [p for p in module.parameters() if p.requires_grad]

    def __enter__(self):
        for p in self.params:
            p.requires_grad_(False)

    def __exit__(self, *exc):
        for p in self.params:
            p.requires_grad_(True)


def saliency(net, x, y):
    x = x.clone().requires_grad_(True)
    with frozen(net):
        net(x).gather(1, y[:, None]).sum().backward()
    return x.grad.abs().flatten(1)


def main():
    torch.manual_seed(33)
    signs = Signs(seed=34)
    probe = signs(16)
    net, attack = SignNet(), PGD()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    before = saliency(net, *probe)
    clean_hits = robust_hits = seen = 0
    for step in range(1, 211):
        x, y = signs(24)
        with frozen(net):
            x_adv = attack.perturb(net, x, y)
        clean, robust = net(torch.cat([x, x_adv])).chunk(2)
        loss = 0.5 * F.cross_entropy(clean, y) + 0.5 * F.cross_entropy(robust, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        clean_hits += int((clean.argmax(1) == y).sum())
        robust_hits += int((robust.argmax(1) == y).sum())
        seen += len(y)
        if step % 70 == 0:
            now = saliency(net, *probe)
            drift = 1 - F.cosine_similarity(before, now).mean().item()
            before = now
            print(f"{step}: clean {clean_hits / seen:.2f} robust {robust_hits / seen:.2f} saliency drift {drift:.2f}")
            clean_hits = robust_hits = seen = 0


if __name__ == "__main__":
    main()
