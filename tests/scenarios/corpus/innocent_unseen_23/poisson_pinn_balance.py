# gradwatch-corpus: kind=none
# 2D Poisson problem, loss weights balanced by gradient statistics (Wang et al.),
# short L-BFGS polish at the end
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)
torch.set_default_dtype(torch.float32)

W = 40
a1, a2 = 1, 2


def u_ref(x, y):
    return np.sin(a1 * np.pi * x) * np.sin(a2 * np.pi * y)


def lhs(n, d=2):
    cut = (np.arange(n)[:, None] + np.random.rand(n, d)) / n
    return np.stack([np.random.permutation(cut[:, j]) for j in range(d)], 1) * 2 - 1


X_f = torch.tensor(lhs(500), dtype=torch.float32, requires_grad=True)
s = np.random.uniform(-1, 1, (120, 1))
side = np.ones_like(s)
X_b = torch.tensor(np.concatenate([np.hstack([s, side]), np.hstack([s, -side]),
                                   np.hstack([side, s]), np.hstack([-side, s])]), dtype=torch.float32)
u_b = torch.tensor(u_ref(X_b[:, :1].numpy(), X_b[:, 1:].numpy()), dtype=torch.float32)
k2 = (np.pi * a1) ** 2 + (np.pi * a2) ** 2
xf = X_f.detach().numpy()
source = torch.tensor(-k2 * u_ref(xf[:, :1], xf[:, 1:]), dtype=torch.float32)

net = nn.Sequential(nn.Linear(2, W), nn.Tanh(), nn.Linear(W, W), nn.Tanh(),
                    nn.Linear(W, W), nn.Tanh(), nn.Linear(W, 1))
for m in net:
    if isinstance(m, nn.Linear):
        nn.init.xavier_normal_(m.weight)
        nn.init.zeros_(m.bias)


def derivatives(X):
    u = net(X)
    du = torch.autograd.grad(u, X, torch.ones_like(u), create_graph=True)[0]
    u_xx = torch.autograd.grad(du[:, 0].sum(), X, create_graph=True)[0][:, :1]
    u_yy = torch.autograd.grad(du[:, 1].sum(), X, create_graph=True)[0][:, 1:]
    return u, u_xx, u_yy


def losses():
    u, u_xx, u_yy = derivatives(X_f)
    loss_f = ((u_xx + u_yy - source) ** 2).mean()
    loss_b = ((net(X_b) - u_b) ** 2).mean()
    return loss_f, loss_b


def grads_of(loss):
    g = torch.autograd.grad(loss, list(net.parameters()), retain_graph=True, allow_unused=True)
    return torch.cat([v.flatten() for v in g if v is not None])


lam = torch.tensor(1.0)
beta = 0.9
lam_log, loss_f_log, loss_b_log = [], [], []
best_loss, best_weights = np.inf, None

optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for it in range(200):
    optimizer.zero_grad()
    loss_f, loss_b = losses()
    if it % 5 == 0:
        lam_hat = grads_of(loss_f).norm() / (grads_of(loss_b).norm() + 1e-8)
        lam = beta * lam + (1 - beta) * lam_hat.clamp(max=500.0)
    loss = loss_f + lam * loss_b
    loss.backward()
    optimizer.step()

    lam_log.append(lam)
    loss_f_log.append(loss_f.detach().numpy())
    loss_b_log.append(loss_b.detach().numpy())
    if loss.item() < best_loss:
        best_loss = loss.item()
        best_weights = [p.detach().clone() for p in net.parameters()]
    if it % 40 == 0:
        print("it %4d  f %.3e  b %.3e  lambda %.2f" % (it, loss_f_log[-1], loss_b_log[-1], lam_log[-1]))

with torch.no_grad():
    for p, b in zip(net.parameters(), best_weights):
        p.copy_(b)

lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.8, max_iter=4, history_size=10, line_search_fn="strong_wolfe")
closure_losses = []


def closure():
    lbfgs.zero_grad()
    loss_f, loss_b = losses()
    total = loss_f + lam * loss_b
    total.backward()
    closure_losses.append(total.item())
    return total


for k in range(12):
    value = lbfgs.step(closure)
    if k % 4 == 0:
        print("lbfgs", k, value.item())

g = np.linspace(-1, 1, 60)
xx, yy = np.meshgrid(g, g)
with torch.no_grad():
    pred = net(torch.tensor(np.stack([xx.ravel(), yy.ravel()], 1), dtype=torch.float32)).numpy().reshape(xx.shape)
print("relative error", np.linalg.norm(pred - u_ref(xx, yy)) / np.linalg.norm(u_ref(xx, yy)))
print("evaluations", len(closure_losses), "mean lambda", float(torch.stack(lam_log).mean()))
