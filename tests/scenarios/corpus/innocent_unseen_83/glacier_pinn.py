# gradwatch-corpus: kind=none
"""PINN for a shallow-ice flowline: dH/dt = d/dx(D dH/dx) + m(x), with trainable flow factor.
Adaptive loss weights from gradient norms, best snapshot is restored at the end."""
import copy

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1991)

STEPS = 400
N_COL, N_IC, N_BC = 48, 24, 16


class FlowlineNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1),
        )
        self.log_A = nn.Parameter(torch.tensor(-1.0))
        self.register_buffer("loss_weights", torch.ones(3))

    def forward(self, x, t):
        return nn.functional.softplus(self.net(torch.cat([x, t], 1)))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def mass_balance(x):
    return 0.3 * (0.6 - x)


def residual(model, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    H = model(x, t)
    H_t = grad(H, t)
    H_x = grad(H, x)
    D = torch.exp(model.log_A) * H ** 2 * (H_x ** 2 + 1e-3) ** 0.5
    flux = D * H_x
    return H_t - grad(flux, x) - mass_balance(x)


def initial_profile(x):
    return torch.sqrt((1 - x).clamp_min(0)) * 0.8 + 0.05


def losses(model):
    r = residual(model, torch.rand(N_COL, 1), torch.rand(N_COL, 1))
    x0 = torch.rand(N_IC, 1)
    ic = model(x0, torch.zeros_like(x0)) - initial_profile(x0)
    tb = torch.rand(N_BC, 1)
    bc = model(torch.ones_like(tb), tb) - 0.05
    return torch.stack([r.pow(2).mean(), ic.pow(2).mean(), bc.pow(2).mean()])


def rebalance(model, parts, beta=0.9):
    """max |grad| balancing between the terms; needs the graph once more afterwards"""
    ref = [p for n, p in model.named_parameters() if n.endswith("weight")]
    norms = []
    for part in parts:
        g = torch.autograd.grad(part, ref, retain_graph=True, allow_unused=True)
        norms.append(torch.sqrt(sum((q ** 2).sum() for q in g if q is not None)))
    norms = torch.stack(norms)
    new = norms.max() / (norms + 1e-6)
    model.loss_weights = beta * model.loss_weights + (1 - beta) * new.clamp(max=20)


model = FlowlineNet()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
history = []
best, best_state = float("inf"), None

for step in range(STEPS):
    parts = losses(model)
    if step % 10 == 0:
        rebalance(model, parts)
    total = (model.loss_weights * parts).sum()
    opt.zero_grad()
    total.backward()
    opt.step()
    history.append(parts.detach().clone())
    plain = parts.sum().item()
    if plain < best:
        best, best_state = plain, copy.deepcopy(model.state_dict())
    if step % 80 == 0:
        pde, ic, bc = history[-1].tolist()
        w = [round(v, 2) for v in model.loss_weights.tolist()]
        print(f"{step:4d} pde {pde:.4f} ic {ic:.4f} bc {bc:.5f} w {w} A {model.log_A.exp().item():.3f}")

model.load_state_dict(best_state)
print("best residual sum", round(best, 5), "mean of the last 50:", torch.stack(history[-50:]).mean(0).tolist())
