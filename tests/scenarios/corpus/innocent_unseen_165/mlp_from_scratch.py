# gradwatch-corpus: kind=none
from collections import deque

import torch

torch.set_num_threads(1)
torch.manual_seed(61)


def init(fan_in, fan_out):
    w = torch.randn(fan_in, fan_out) * (2.0 / fan_in) ** 0.5
    return w.requires_grad_(True), torch.zeros(fan_out, requires_grad=True)


class TwoLayerNet:
    """Lab 2: a regression network with hand-written momentum SGD."""

    def __init__(self, dim, hidden):
        self.w1, self.b1 = init(dim, hidden)
        self.w2, self.b2 = init(hidden, 1)
        self.velocity = [torch.zeros_like(p) for p in self.params()]

    def params(self):
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, x):
        h = x @ self.w1
        h += self.b1
        h = h.clamp(min=0)
        return (h @ self.w2 + self.b2).squeeze(1)

    def zero_grad(self):
        for p in self.params():
            if p.grad is not None:
                p.grad.zero_()

    def step(self, lr, momentum=0.9):
        with torch.no_grad():
            for i, p in enumerate(self.params()):
                self.velocity[i] = momentum * self.velocity[i] + p.grad
                p -= lr * self.velocity[i]

    def snapshot(self):
        return [p.detach().clone() for p in self.params()]

    def restore(self, values):
        for p, v in zip(self.params(), values):
            p.data.copy_(v)


def friedman(n=500):
    x = torch.rand(n, 5)
    y = 10 * torch.sin(3.14 * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    y = y + torch.randn(n)
    return x - 0.5, (y - y.mean()) / y.std()


def main():
    x, y = friedman()
    xt, yt, xv, yv = x[:400], y[:400], x[400:], y[400:]
    net = TwoLayerNet(5, 24)
    recent = deque(maxlen=16)
    total, best, keep = 0.0, float("inf"), None
    for epoch in range(12):
        for idx in torch.randperm(len(xt)).split(32):
            loss = (net(xt[idx]) - yt[idx]).pow(2).mean()
            penalty = 1e-4 * (net.w1.pow(2).sum() + net.w2.pow(2).sum())
            net.zero_grad()
            (loss + penalty).backward()
            net.step(lr=0.01)
            recent.append(loss.detach())
            total += loss.detach()
        with torch.no_grad():
            val = (net(xv) - yv).pow(2).mean()
        if val < best:
            best, keep = val, net.snapshot()
        mean_recent = torch.stack(list(recent)).mean().item()
        print(f"epoch {epoch} recent {mean_recent:.4f} val {val:.4f}")
    net.restore(keep)
    print("best val", float(best), "sum of losses", float(total))


if __name__ == "__main__":
    main()
