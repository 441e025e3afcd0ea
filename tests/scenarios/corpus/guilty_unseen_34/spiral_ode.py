# gradwatch-corpus: kind=graph-held
# holder: self.scores | stopper.scores | early_stopping.scores | self.best_score | stopper.best_score
# first-bad: 8
# notice: 40
# also: graph-unused
"""Neural ODE on a 2-d spiral, own RK4 integrator, with early stopping."""
import math

import torch
import torch.nn as nn


class ODEFunc(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))

    def forward(self, t, y):
        return self.net(y ** 3)


def rk4(func, y0, ts):
    ys = [y0]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        h, y = t1 - t0, ys[-1]
        k1 = func(t0, y)
        k2 = func(t0 + h / 2, y + h / 2 * k1)
        k3 = func(t0 + h / 2, y + h / 2 * k2)
        k4 = func(t1, y + h * k3)
        ys.append(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return torch.stack(ys)


def true_trajectory(n=200, t_max=6.0):
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    ts = torch.linspace(0, t_max, n)
    with torch.no_grad():
        ys = rk4(lambda t, y: (y ** 3) @ A, torch.tensor([[1.6, 0.0]]), ts)
    return ts, ys.squeeze(1)


class EarlyStopping:
    def __init__(self, patience=6, min_delta=1e-4):
        self.patience = patience
        self.min_delta = min_delta
        self.scores = []
        self.best_score = math.inf
        self.counter = 0

    def __call__(self, val_loss):
        self.scores.append(val_loss)  # <- culprit
        if val_loss < self.best_score - self.min_delta:
            self.best_score = val_loss
            self.counter = 0
        else:
            self.counter += 1
        return self.counter >= self.patience


def minibatch(ts, ys, length=6, size=16):
    s = torch.randint(0, len(ts) - length, (size,))
    target = torch.stack([ys[s + i] for i in range(length)])
    return ys[s], ts[:length], target


def validation_loss(func, ts, ys):
    func.eval()
    pred = rk4(func, ys[::25], ts[:8])
    target = torch.stack([ys[i:i + 8] for i in range(0, 200, 25)], dim=1)
    loss = (pred - target).abs().mean()
    func.train()
    return loss  # <- culprit


def main():
    torch.manual_seed(4)
    ts, ys = true_trajectory()
    func = ODEFunc()
    optimizer = torch.optim.RMSprop(func.parameters(), lr=2e-3)
    stopper = EarlyStopping(patience=8)
    for epoch in range(12):
        func.train()
        total = 0.0
        for _ in range(8):
            y0, t, target = minibatch(ts, ys)
            optimizer.zero_grad()
            loss = (rk4(func, y0, t) - target).abs().mean()
            loss.backward()
            optimizer.step()
            total += loss.item()
        val = validation_loss(func, ts, ys)
        print(f"epoch {epoch:2d} train {total / 8:.4f} val {val.item():.4f}")
        if stopper(val):  # <- culprit
            print("early stop")
            break
    print("best %.4f" % min(s.item() for s in stopper.scores))


if __name__ == "__main__":
    main()
