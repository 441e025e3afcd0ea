import torch
from torch.func import grad, vmap


def predict(p, x):
    return (torch.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]).squeeze(-1)


def mse(p, x, y):
    return (predict(p, x) - y).pow(2).mean()


def adapt(p, log_rates, x, y, steps):
    for _ in range(steps):
        g = grad(mse)(p, x, y)
        p = {k: p[k] - log_rates[k].exp() * g[k] for k in p}
    return p


per_task_loss = vmap(mse, in_dims=(0, 0, 0))
