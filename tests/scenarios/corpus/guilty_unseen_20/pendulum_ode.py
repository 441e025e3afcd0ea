# gradwatch-corpus: kind=graph-chain
# holder: y | pred | pred[-1]
# first-bad: 1
"""Assignment 5, Numerics for ML: learn the right-hand side of a damped pendulum with our own Euler integrator.
The trajectory runs on and on, in every iteration we look at the next piece of it."""
import math
import torch

torch.manual_seed(0)

DT = 0.05
STEPS = 2          # Euler steps per iteration
N = 16             # pendulums at once
LR = 0.02
ITERS = 200


def true_f(y):
    theta = y[:, 0]
    omega = y[:, 1]
    return torch.stack([omega, -torch.sin(theta) - 0.3 * omega], dim=1)


# the network, two layers, written by hand because nn.Module comes next week
W1 = torch.randn(2, 16) * 0.3
b1 = torch.zeros(16)
W2 = torch.randn(16, 2) * 0.1
b2 = torch.zeros(2)
params = [W1, b1, W2, b2]
for p in params:
    p.requires_grad = True


def f(y):
    h = torch.tanh(y @ W1 + b1)
    return h @ W2 + b2


def euler(func, y, dt, steps):
    out = []
    for i in range(steps):
        y = y + dt * func(y)
        out.append(y)
    return torch.stack(out)


def loss_fn(pred, true):
    # compare slopes too, it learns faster
    a = ((pred - true) ** 2).mean()
    b = (((pred[1:] - pred[:-1]) - (true[1:] - true[:-1])) ** 2).mean() / DT
    return a + b


def update(params, lr):
    # gradients can be large at first so clip them
    norm = math.sqrt(sum(float((p.grad ** 2).sum()) for p in params))
    scale = min(1.0, 1.0 / (norm + 1e-8))
    for p in params:
        p.data -= lr * scale * p.grad
        p.grad = None


def one_iteration(y, y_true):
    true = euler(true_f, y_true, DT, STEPS)
    pred = euler(f, y, DT, STEPS)
    loss = loss_fn(pred, true)
    loss.backward(retain_graph=True)  # <- culprit
    update(params, LR)
    # go on where we stopped
    return loss.item(), pred[-1], true[-1]  # <- culprit


def start():
    y0 = torch.rand(N, 2) * 2 - 1
    return y0, y0.clone()


y, y_true = start()
total = 0.0
for it in range(ITERS):
    loss, y, y_true = one_iteration(y, y_true)  # <- culprit
    total += loss
    if it % 50 == 49:
        print("iteration", it + 1, "average loss", total / 50)
        total = 0.0

# test the learned function on new pendulums
with torch.no_grad():
    a, b = start()
    err = (euler(f, a, DT, 40) - euler(true_f, b, DT, 40)).abs().mean().item()
print("mean error over 2 seconds:", round(err, 4))
