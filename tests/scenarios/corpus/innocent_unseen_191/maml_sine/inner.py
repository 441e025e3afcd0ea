import torch
import torch.nn.functional as F
from torch.func import functional_call


def evaluate(net, weights, data):
    x, y = data
    return F.mse_loss(functional_call(net, weights, (x,)), y)


def adapt(net, log_lr, support, inner_steps):
    fast = dict(net.named_parameters())
    for _ in range(inner_steps):
        loss = evaluate(net, fast, support)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {n: w - log_lr[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(fast.items(), grads)}
    return fast
