# gradwatch-corpus: kind=none
"""Madry-style adversarial training with PGD in the inner loop, on blobs."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(58)


class LinfPGD:
    def __init__(self, model, eps=0.3, step=0.1, iters=4):
        self.model, self.eps, self.step, self.iters = model, eps, step, iters

    def perturb(self, x, y):
        delta = torch.empty_like(x).uniform_(-self.eps, self.eps)
        for _ in range(self.iters):
            delta.requires_grad_(True)
            with torch.enable_grad():
                loss = F.cross_entropy(self.model(x + delta), y)
            g = torch.autograd.grad(loss, delta)[0]
            delta = (delta.detach() + self.step * g.sign()).clamp(-self.eps, self.eps)
        return (x + delta).detach()


class Trainer:
    def __init__(self, model, attack, lr):
        self.model, self.attack = model, attack
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=2e-4)

    def epoch(self, loader):
        self.model.train()
        loss_sum = correct = total = 0
        for x, y in loader:
            adv = self.attack.perturb(x, y)
            self.optimizer.zero_grad()
            out = self.model(adv)
            loss = F.cross_entropy(out, y)
            loss.backward()
            self.optimizer.step()
            loss_sum += loss.item()
            total += y.size(0)
            correct += out.argmax(1).eq(y).sum().item()
        return loss_sum / len(loader), correct / total

    def robust_accuracy(self, x, y):
        self.model.eval()
        adv = self.attack.perturb(x, y)
        with torch.no_grad():
            clean = (self.model(x).argmax(1) == y).float().mean().item()
            rob = (self.model(adv).argmax(1) == y).float().mean().item()
        return clean, rob


c = torch.randn(4, 10)
y = torch.randint(0, 4, (480,))
x = c[y] + 0.5 * torch.randn(480, 10)
loader = DataLoader(TensorDataset(x[:384], y[:384]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 4))
trainer = Trainer(model, LinfPGD(model), lr=0.05)
for epoch in range(7):
    loss, acc = trainer.epoch(loader)
    print(epoch, "adv loss %.3f adv acc %.3f" % (loss, acc), "clean/robust %.3f %.3f" % trainer.robust_accuracy(x[384:], y[384:]))
