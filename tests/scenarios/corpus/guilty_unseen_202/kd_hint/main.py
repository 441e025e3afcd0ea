# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

from hints import HintCache, HintRegressor

EPOCHS, BATCH = 20, 32


def mlp(*dims):
    layers = []
    for a, b in zip(dims[:-1], dims[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers)


class Student(nn.Module):
    def __init__(self, d_in, d_hint, n_out):
        super().__init__()
        self.lower = nn.Linear(d_in, d_hint)
        self.upper = nn.Sequential(nn.Linear(d_hint, 24), nn.ReLU(), nn.Linear(24, n_out))

    def forward(self, x):
        hint = torch.tanh(self.lower(x))
        return hint, self.upper(hint)


class EarlyStopping:
    def __init__(self, patience=5, delta=1e-4):
        self.patience, self.delta = patience, delta
        self.best, self.bad = float("inf"), 0

    def step(self, value):
        if value < self.best - self.delta:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def main():
    torch.manual_seed(17)
    x = torch.randn(800, 12)
    y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
    teacher = mlp(12, 96, 96).requires_grad_(False)
    regressor = HintRegressor(96, 16)
    student = Student(12, 16, 3)
    cache = HintCache(teacher, regressor, x)
    opt = torch.optim.Adam([*student.parameters(), *regressor.parameters()], lr=2e-3)
    stopper = EarlyStopping()
    for epoch in range(EPOCHS):
        running = 0.0
        for idx in torch.randperm(len(x)).split(BATCH):
            hint, logits = student(x[idx])
            loss = F.cross_entropy(logits, y[idx]) + 0.5 * F.mse_loss(hint, cache[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(idx)
        print(f"epoch {epoch} loss {running / len(x):.4f}")
        if stopper.step(running / len(x)):
            break


if __name__ == "__main__":
    main()
