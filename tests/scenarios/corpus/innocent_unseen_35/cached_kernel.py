# gradwatch-corpus: kind=none
import functools

import torch
from torch import nn
from torch.optim import Adam

POINTS, DIMS = 60, 2


def cached_until_step(method):
    """Keeps the result on the instance; `forget` drops it. Loss and report share one result."""
    name = "_cached_" + method.__name__

    @functools.wraps(method)
    def wrapper(self):
        if name not in self.__dict__:
            self.__dict__[name] = method(self)
        return self.__dict__[name]

    wrapper.slot = name
    return wrapper


class DeepKernel(nn.Module):
    def __init__(self, x):
        super().__init__()
        self.register_buffer("x", x)
        self.warp = nn.Sequential(nn.Linear(DIMS, 16), nn.Tanh(), nn.Linear(16, 4))
        self.log_noise = nn.Parameter(torch.tensor(-2.0))
        self.log_scale = nn.Parameter(torch.tensor(0.0))

    @cached_until_step
    def gram(self):
        z = self.warp(self.x)
        return torch.exp(-torch.cdist(z, z).square() * self.log_scale.exp())

    @cached_until_step
    def factor(self):
        noise = self.log_noise.exp() + 1e-4
        return torch.linalg.cholesky(self.gram() + noise * torch.eye(len(self.x)))

    def forget(self, *_):
        for member in (type(self).gram, type(self).factor):
            self.__dict__.pop(member.slot, None)


def neg_log_likelihood(kernel, y):
    low = kernel.factor()
    alpha = torch.cholesky_solve(y[:, None], low).squeeze(1)
    return 0.5 * y @ alpha + low.diagonal().log().sum()


def smoothness_penalty(kernel):
    return (1 - kernel.gram().mean()) * 0.5


@torch.no_grad()
def residual(kernel, y):
    weights = torch.cholesky_solve(y[:, None], kernel.factor())
    return (kernel.gram() @ weights - y[:, None]).square().mean().sqrt().item()


def main():
    torch.manual_seed(6)
    x = torch.rand(POINTS, DIMS) * 4 - 2
    y = torch.sin(2 * x[:, 0]) * torch.cos(x[:, 1]) + 0.05 * torch.randn(POINTS)
    kernel = DeepKernel(x)
    opt = Adam(kernel.parameters(), lr=0.01)
    opt.register_step_post_hook(kernel.forget)
    for step in range(90):
        loss = neg_log_likelihood(kernel, y) / POINTS + smoothness_penalty(kernel)
        fit = residual(kernel, y) if step % 30 == 0 else None
        opt.zero_grad()
        loss.backward()
        opt.step()
        if fit is not None:
            print(f"step {step}: objective {loss.item():.4f} residual {fit:.4f}")


if __name__ == "__main__":
    main()
