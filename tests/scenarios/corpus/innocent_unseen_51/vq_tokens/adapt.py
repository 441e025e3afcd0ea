import torch
import torch.nn.functional as F
from torch.func import functional_call


def adapted_loss(decoder, codes, x, codes_q, x_q, inner_steps, lr=0.2):
    """Loss on the query half after a few gradient steps on the support half."""
    fast = dict(decoder.named_parameters())
    for _ in range(inner_steps):
        inner = F.mse_loss(functional_call(decoder, fast, (codes,)), x)
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: p - lr * g for (k, p), g in zip(fast.items(), grads)}
    return F.mse_loss(functional_call(decoder, fast, (codes_q,)), x_q)
