# gradwatch-corpus: kind=none
# u'' + u = 0 on [0, 3], residual, boundary and data terms, gradients projected as in PCGrad
import random

import torch
import torch.nn as nn

torch.manual_seed(0)
random.seed(0)


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(x)


class PINN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), Sine(), nn.Linear(width, width), Sine(), nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


def derivative(u, t):
    return torch.autograd.grad(u.sum(), t, create_graph=True)[0]


def terms(model, t_data, u_data):
    t = torch.cat([torch.zeros(1, 1), t_data, 3 * torch.rand(48, 1)]).requires_grad_()
    u = model(t)
    du = derivative(u, t)
    n = 1 + len(t_data)
    return {
        "residual": (derivative(du, t) + u)[n:].pow(2).mean(),
        "boundary": u[0].pow(2).mean() + (du[0] - 1).pow(2).mean(),
        "data": (u[1:n] - u_data).pow(2).mean(),
    }


def flat_grad(loss, params, keep):
    grads = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for g, p in zip(grads, params)])


def project(grads):
    out = []
    for i, g in enumerate(grads):
        g = g.clone()
        others = [h for j, h in enumerate(grads) if j != i]
        random.shuffle(others)
        for h in others:
            dot = torch.dot(g, h)
            if dot < 0:
                g -= dot / h.pow(2).sum() * h
        out.append(g)
    return torch.stack(out).sum(0)


def assign(params, flat):
    k = 0
    for p in params:
        p.grad = flat[k:k + p.numel()].view_as(p).clone()
        k += p.numel()


t_data = torch.linspace(0.5, 2.5, 6)[:, None]
u_data = torch.sin(t_data) + 0.01 * torch.randn(6, 1)
model = PINN()
params = list(model.parameters())
opt = torch.optim.Adam(params, lr=3e-3)
weights = {}
history = []
grad_memory = []

for it in range(450):
    losses = terms(model, t_data, u_data)
    grads = []
    for name, loss in losses.items():
        initial = weights.setdefault(name, loss.detach().clamp(min=1e-3))
        weights[name] = 0.9 * initial + 0.1 * loss.detach().clamp(min=1e-3)
        scaled = loss / weights[name].sqrt()
        grads.append(flat_grad(scaled, params, keep=name != "data"))
    merged = project(grads)
    grad_memory = (grad_memory + [merged])[-10:]
    assign(params, merged)
    opt.step()
    history.append({k: v.item() for k, v in losses.items()})
    if it % 75 == 0:
        cos = torch.cosine_similarity(grad_memory[-1], grad_memory[0], dim=0).item()
        print(it, " ".join(f"{k} {v:.5f}" for k, v in history[-1].items()), f"cos {cos:.2f}")

with torch.no_grad():
    t = torch.linspace(0, 3, 50)[:, None]
    print("max error", (model(t) - torch.sin(t)).abs().max().item())
