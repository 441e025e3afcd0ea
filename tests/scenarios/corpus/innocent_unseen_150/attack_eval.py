# gradwatch-corpus: kind=none
"""Gauge classifier with a robustness evaluation that needs input gradients."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(30)
torch.set_num_threads(1)


class Evaluation:
    def __init__(self, model, data, radius=0.2, steps=3):
        self.model, self.data = model, data
        self.radius, self.steps = radius, steps

    def perturb(self, x, y):
        delta = torch.zeros_like(x, requires_grad=True)
        for _ in range(self.steps):
            loss = F.cross_entropy(self.model(x + delta), y)
            grad, = torch.autograd.grad(loss, delta)
            delta = (delta + 0.5 * self.radius * grad.sign()).clamp(-self.radius, self.radius).detach().requires_grad_()
        return x + delta

    def __call__(self):
        outs = [(self.model(x), self.model(self.perturb(x, y)), y) for x, y in self.data]
        clean = torch.cat([c.argmax(1) == y for c, _, y in outs]).float().mean()
        robust = torch.cat([r.argmax(1) == y for _, r, y in outs]).float().mean()
        return clean.item(), robust.item()


def gauges(n):
    y = torch.randint(0, 3, (n,))
    return torch.randn(n, 12) + nn.functional.one_hot(y, 12) * 2.0, y


def main():
    model = nn.Sequential(nn.Linear(12, 32), nn.Tanh(), nn.Dropout(0.1), nn.Linear(32, 3))
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.8)
    evaluate = Evaluation(model, [gauges(40) for _ in range(8)])
    for step in range(150):
        x, y = gauges(32)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 25 == 24:
            model.eval()
            clean, robust = evaluate()
            model.train()
            print(step, f"clean {clean:.3f} robust {robust:.3f}")


main()
