import torch

from world import sir


def cost_to_go(comp, logits, model, budget=0.03):
    total = 0.0
    for u in logits:
        doses = budget * torch.softmax(u, dim=0)[:-1]
        comp = sir(comp, doses) + model(comp)
        total = total + comp[:, 1].sum() + 0.2 * doses.sum()
    return total


def plan(comp, residual, warm, horizon, sweeps, lr=2.0):
    n_age = comp.shape[0]
    logits = torch.zeros(horizon, n_age + 1) if warm is None else warm
    model = residual.frozen()
    forecast = 0.0
    for _ in range(sweeps):
        logits = logits.detach().requires_grad_()
        cost = cost_to_go(comp, logits, model)
        (g,) = torch.autograd.grad(cost, logits)
        logits = logits - lr * g
        forecast = cost.item() / horizon
    logits = logits.detach()
    doses = 0.03 * torch.softmax(logits[0], dim=0)[:-1]
    shifted = torch.cat([logits[1:], logits[-1:]])
    return doses, shifted, forecast
