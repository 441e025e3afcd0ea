# gradwatch-corpus: kind=graph-held
# holder: phi | phi[t]
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(11)

# ---- task family: sinusoids with random amplitude and phase
n_task = 40
A = 0.5 + 4.5 * torch.rand(n_task)
ph = 3.14159 * torch.rand(n_task)


def draw(t, n):
    x = 10 * torch.rand(n, 1) - 5
    return x, A[t] * torch.sin(x + ph[t])


# ---- model
f = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
theta = {k: v for k, v in f.named_parameters()}
alpha = nn.Parameter(torch.tensor(0.02))
opt = torch.optim.Adam([*theta.values(), alpha], lr=2e-3)


def adapt(th, x, y, k=2):
    for _ in range(k):
        l = F.mse_loss(functional_call(f, th, x), y)
        gs = torch.autograd.grad(l, list(th.values()), create_graph=True)
        th = {n: p - alpha * g for (n, p), g in zip(th.items(), gs)}
    return th


# ---- meta training
phi = {}      # last adapted weights of each task, for the table at the end
mb = 3
hist = []
for it in range(150):
    tasks = torch.randint(n_task, (mb,)).tolist()
    outer = 0.0
    for t in tasks:
        xs, ys = draw(t, 10)
        th = adapt(theta, xs, ys)
        xq, yq = draw(t, 15)
        outer = outer + F.mse_loss(functional_call(f, th, xq), yq) / mb
        phi[t] = th  # <- culprit
    opt.zero_grad()
    outer.backward()
    opt.step()
    hist.append(outer.item())
    if it % 30 == 0:
        print(f"{it:4d}  outer {sum(hist[-30:]) / len(hist[-30:]):.3f}  alpha {alpha.item():.4f}")

# ---- table
print("task    A   phase   mse(adapted)")
with torch.no_grad():
    for t in sorted(phi)[:8]:
        x, y = draw(t, 50)
        e = F.mse_loss(functional_call(f, phi[t], x), y)
        print(f"{t:4d}  {A[t]:.2f}  {ph[t]:.2f}  {e:.3f}")
