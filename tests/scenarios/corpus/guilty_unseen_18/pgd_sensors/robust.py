import torch
import torch.nn as nn
import torch.nn.functional as F

from guard import BatchRejected


class SoundNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2, padding=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.out = nn.Linear(64, classes)

    def forward(self, x):
        return self.out(self.body(x))


def pgd(net, x, y, eps=0.15, steps=2):
    delta = torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        delta.requires_grad_(True)
        loss = F.cross_entropy(net(x + delta), y)
        (grad,) = torch.autograd.grad(loss, delta)
        delta = (delta.detach() + eps / steps * grad.sign()).clamp(-eps, eps)
    return (x + delta).detach()


class RobustTrainer:
    def __init__(self, net, guard, lr=2e-3):
        self.net, self.guard = net, guard
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.rejected = []
        self.accepted = 0

    def step(self, x, y):
        adv = pgd(self.net, x, y)
        logits = self.net(torch.cat([x, adv]))
        loss = self.guard.check(F.cross_entropy(logits, y.repeat(2)))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, batches):
        for i, (x, y) in enumerate(batches):
            try:
                value = self.step(x, y)
            except BatchRejected as exc:
                self.rejected.append((i, exc))  # <- culprit
                continue
            self.accepted += 1
            if self.accepted % 60 == 0:
                print(f"batch {i:4d}  loss {value:.3f}  rejected so far {len(self.rejected)}")

    def summary(self):
        worst = max(self.rejected, key=lambda r: r[1].value, default=None)
        tail = f"; worst: batch {worst[0]}, {worst[1]}" if worst else ""
        return f"{self.accepted} accepted, {len(self.rejected)} rejected{tail}"
