"""Inner loop of second-order MAML, as closures over the functional network."""
import torch
import torch.nn.functional as F


def init(width=20):
    def w(*s):
        return (torch.randn(*s) / s[0] ** 0.5).requires_grad_()
    return {"w1": w(1, width), "b1": torch.zeros(width, requires_grad=True),
            "w2": w(width, width), "b2": torch.zeros(width, requires_grad=True),
            "w3": w(width, 1), "b3": torch.zeros(1, requires_grad=True)}


def apply(p, x):
    h = torch.tanh(x @ p["w1"] + p["b1"])
    h = torch.tanh(h @ p["w2"] + p["b2"])
    return h @ p["w3"] + p["b3"]


def make_adapt(steps, lr):
    """adapt(params, x, y) -> fast weights and the trajectory of weights that led there."""
    def adapt(params, x, y):
        trajectory = [params]
        for _ in range(steps):
            fast = trajectory[-1]
            loss = F.mse_loss(apply(fast, x), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            trajectory.append({k: v - lr * g for (k, v), g in zip(fast.items(), grads)})
        return trajectory[-1], trajectory
    return adapt
