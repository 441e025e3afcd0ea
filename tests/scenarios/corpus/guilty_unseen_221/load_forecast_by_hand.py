# gradwatch-corpus: kind=graph-chain
# holder: w | b
# first-bad: 1
import math

import torch

torch.manual_seed(3)

# hourly electricity load of one substation, fake but with daily and weekly cycles
N_HOURS = 4000
N_LAGS = 48
lr = 0.02
n_iter = 120


def make_load(n):
    t = torch.arange(n, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = torch.sin(2 * math.pi * t / 168)
    temp = torch.cos(2 * math.pi * t / 2000)
    load = 0.6 * daily + 0.3 * weekly - 0.4 * temp
    load = load + 0.05 * torch.randn(n)
    return load


def make_xy(load, lags):
    windows = load.unfold(0, lags + 1, 1)
    X = windows[:, :lags].contiguous()
    y = windows[:, lags:].contiguous()
    return X, y


def mse(y_hat, y):
    return ((y_hat - y) ** 2).mean()


load = make_load(N_HOURS)
X, y = make_xy(load, N_LAGS)
n_train = int(0.8 * len(X))
X_train = X[:n_train]
y_train = y[:n_train]
X_test = X[n_train:]
y_test = y[n_train:]

w = torch.randn(N_LAGS, 1) * 0.05
w.requires_grad_()
b = torch.zeros(1, requires_grad=True)

for i in range(n_iter):
    idx = torch.randint(0, n_train, (256,))
    xb = X_train[idx]
    yb = y_train[idx]
    y_hat = xb @ w + b
    loss = mse(y_hat, yb)
    loss.backward()

    w = w - lr * w.grad  # <- culprit
    b = b - lr * b.grad  # <- culprit
    w.retain_grad()
    b.retain_grad()

    if i % 20 == 0:
        with torch.no_grad():
            test_loss = mse(X_test @ w + b, y_test)
        print("iter", i, "train", round(loss.item(), 4), "test", round(test_loss.item(), 4))

with torch.no_grad():
    final = mse(X_test @ w + b, y_test)
    naive = mse(X_test[:, -1:], y_test)
print("final test mse", final.item())
print("persistence mse", naive.item())
