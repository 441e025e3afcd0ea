# gradwatch-corpus: kind=graph-chain
# holder: total_loss | mean_loss
# first-bad: 1
# notice: 5
# Fitting a noisy sine wave with a little network written by hand.
# Lesson 3 of my notebook: no nn.Module, no optimizer.

import math
import torch

torch.manual_seed(3)
torch.set_num_threads(1)

# ---- settings ----
n_points = 128
hidden = 24
lr = 0.05
steps = 140
print_every = 20

# ---- data ----
x = torch.linspace(-math.pi, math.pi, n_points).unsqueeze(1)
y = torch.sin(x) + 0.05 * torch.randn(n_points, 1)

x_test = torch.linspace(-3.0, 3.0, 50).unsqueeze(1)
y_test = torch.sin(x_test)

# ---- weights ----
w1 = torch.randn(1, hidden, requires_grad=True)
b1 = torch.zeros(hidden, requires_grad=True)
w2 = torch.randn(hidden, hidden) * 0.3
w2.requires_grad_()
b2 = torch.zeros(hidden, requires_grad=True)
w3 = torch.randn(hidden, 1) * 0.3
w3.requires_grad_()
b3 = torch.zeros(1, requires_grad=True)

losses = []
steps_done = []

# ---- training ----
total_loss = 0
for step in range(steps):
    # pick a random batch
    idx = torch.randperm(n_points)[:32]
    xb = x[idx]
    yb = y[idx]

    # forward
    h1 = torch.tanh(xb @ w1 + b1)
    h2 = torch.tanh(h1 @ w2 + b2)
    out = h2 @ w3 + b3
    loss = ((out - yb) ** 2).mean()

    # the batches are noisy, so use the mean over what we have seen
    total_loss = total_loss + loss  # <- culprit
    mean_loss = total_loss / (step + 1)

    # backward
    mean_loss.backward(retain_graph=True)

    # update layer 1
    w1.data -= lr * w1.grad
    b1.data -= lr * b1.grad
    w1.grad.zero_()
    b1.grad.zero_()

    # update layer 2
    w2.data -= lr * w2.grad
    b2.data -= lr * b2.grad
    w2.grad.zero_()
    b2.grad.zero_()

    # update layer 3
    w3.data -= lr * w3.grad
    b3.data -= lr * b3.grad
    w3.grad.zero_()
    b3.grad.zero_()

    losses.append(loss.item())
    steps_done.append(step)
    if step % print_every == 0:
        print("step", step, "loss", round(losses[-1], 4), "mean", round(mean_loss.item(), 4))

# ---- test ----
with torch.no_grad():
    h1 = torch.tanh(x_test @ w1 + b1)
    h2 = torch.tanh(h1 @ w2 + b2)
    pred = h2 @ w3 + b3
    print("test mse:", ((pred - y_test) ** 2).mean().item())

# poor man's plot
for i in range(0, 50, 5):
    column = int((pred[i].item() + 1.5) * 15)
    print(f"{x_test[i].item():+.2f}", " " * max(column, 0) + "*")

print("best loss", min(losses), "at step", steps_done[losses.index(min(losses))])
