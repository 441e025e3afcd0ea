# gradwatch-corpus: kind=none
# about: after training, thousands of gradients of samples and Hessian-vector products and not
# about: one optimizer step; each test point's loss is differentiated with retain_graph for every
# about: layer
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import classes
from parts.pace import ITERATIONS


def train(model, x, y, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-3)
    for _ in range(steps):
        rows = torch.randint(0, len(x), (32,))
        loss = F.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


class Influence:
    def __init__(self, model, x, y, scale=10.0, damping=0.1):
        self.model, self.x, self.y = model, x, y
        self.scale, self.damping = scale, damping
        self.params = list(model.parameters())

    def gradient(self, x, y):
        """One layer at a time, on one graph."""
        loss = F.cross_entropy(self.model(x.unsqueeze(0)), y.unsqueeze(0))
        return [torch.autograd.grad(loss, p, retain_graph=True)[0] for p in self.params]

    def lissa(self, v, depth=20):
        estimate = [t.clone() for t in v]
        for _ in range(depth):
            rows = torch.randint(0, len(self.x), (16,))
            loss = F.cross_entropy(self.model(self.x[rows]), self.y[rows])
            first = torch.autograd.grad(loss, self.params, create_graph=True)
            dot = sum((f * e).sum() for f, e in zip(first, estimate))
            hv = torch.autograd.grad(dot, self.params)
            estimate = [
                a + (1 - self.damping) * e - h / self.scale for a, e, h in zip(v, estimate, hv)
            ]
        return [e / self.scale for e in estimate]

    def of(self, x, y):
        s_test = self.lissa(self.gradient(x, y))
        scores = []
        for i in range(60):
            g = self.gradient(self.x[i], self.y[i])
            scores.append(-sum((a * b).sum() for a, b in zip(s_test, g)).item() / len(self.x))
        return torch.tensor(scores)


def main():
    torch.manual_seed(0)
    x, y = classes(256)
    model = nn.Sequential(nn.Linear(16, 12), nn.Tanh(), nn.Linear(12, 4))
    print(f"trained to {train(model, x, y, 60):.6f}")
    influence = Influence(model, x, y)
    for i in range(ITERATIONS // 30):
        scores = influence.of(x[-1 - i], y[-1 - i])
        print(f"test {i}: most helpful {int(scores.argmin())}, {scores.min().item():.3e}")


if __name__ == "__main__":
    main()
