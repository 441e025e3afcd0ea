from contextlib import contextmanager

import torch


@contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


def langevin(energy, x, steps, step_size, noise):
    with frozen(energy):
        for _ in range(steps):
            x = x.detach().requires_grad_(True)
            (grad,) = torch.autograd.grad(energy(x).sum(), x)
            x = x - step_size * grad.clamp(-1, 1) + noise * torch.randn_like(x)
    return x.detach()
