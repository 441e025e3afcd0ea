# gradwatch-corpus: kind=graph-chain
# holder: coef
# first-bad: 1
# Fit the out-of-transit trend of a star with a small sine basis.
# Homework 4, Astro data lab
import math
import torch

torch.manual_seed(12)

n_points = 400
period = 3.7
steps = 180
lr = 0.2

time = torch.linspace(0, 27, n_points)
true_flux = 1.0 + 0.02 * torch.sin(2 * math.pi * time / period)
true_flux = true_flux + 0.01 * torch.cos(2 * math.pi * time / 11.0)
flux = true_flux + 0.002 * torch.randn(n_points)

# cut out the transits
phase = (time % 5.1) / 5.1
keep = (phase > 0.05) & (phase < 0.95)
time = time[keep]
flux = flux[keep]

# design matrix
columns = []
columns.append(torch.ones_like(time))
for k in range(1, 9):
    columns.append(torch.sin(2 * math.pi * k * time / 27))
    columns.append(torch.cos(2 * math.pi * k * time / 27))
A = torch.stack(columns, dim=1)

scale = flux.std()
y = (flux - flux.mean()) / scale


def soft_abs(r):
    return torch.sqrt(r * r + 0.01)


coef = torch.zeros(A.shape[1], requires_grad=True)
velocity = torch.zeros_like(coef)

best = float("inf")
best_step = 0

for step in range(steps):
    pick = torch.randint(0, len(y), (128,))
    model_flux = A[pick] @ coef
    resid = model_flux - y[pick]
    loss = soft_abs(resid).mean() + 1e-3 * coef.pow(2).sum()

    (g,) = torch.autograd.grad(loss, coef)
    velocity = 0.8 * velocity + g
    coef = coef - lr * velocity  # <- culprit

    value = loss.item()
    if value < best:
        best = value
        best_step = step
    if step % 30 == 0:
        print("step", step, "loss", round(value, 4))

print("best", round(best, 4), "at", best_step)
trend = (A @ coef).detach() * scale
print("trend amplitude", float(trend.max() - trend.min()))
