# gradwatch-corpus: kind=none
"""Sparse GP hyperparameters by marginal likelihood; Gram matrices are memoised per revision."""
import functools
import math

import torch
from torch import nn


class Kernel(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_ls = nn.Parameter(torch.zeros(dim))
        self.log_amp = nn.Parameter(torch.zeros(()))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))

    def forward(self, a, b):
        s = self.log_ls.exp()
        return self.log_amp.exp() * torch.exp(-0.5 * torch.cdist(a / s, b / s).pow(2))


class GP:
    def __init__(self, kernel, blocks):
        self.kernel, self.blocks = kernel, blocks
        self.revision = 0
        self.gram = functools.lru_cache(maxsize=40)(self._gram)

    def _gram(self, block, revision):
        x, _ = self.blocks[block]
        eye = torch.eye(len(x))
        K = self.kernel(x, x) + (self.kernel.log_noise.exp() + 1e-4) * eye
        return torch.linalg.cholesky(K)

    def nll(self, block):
        L = self.gram(block, self.revision)
        y = self.blocks[block][1]
        alpha = torch.cholesky_solve(y[:, None], L).squeeze(1)
        return (0.5 * y @ alpha + L.diagonal().log().sum()) / len(y) + 0.5 * math.log(2 * math.pi)

    @torch.no_grad()
    def residual(self, block):
        L = self.gram(block, self.revision)
        y = self.blocks[block][1]
        alpha = torch.cholesky_solve(y[:, None], L).squeeze(1)
        return (alpha * self.kernel.log_noise.exp()).pow(2).mean().item()


def blocks(gen, count, n, dim):
    out = []
    for _ in range(count):
        x = torch.rand(n, dim, generator=gen) * 4
        y = torch.sin(2 * x[:, 0]) + 0.3 * x[:, 1] + 0.1 * torch.randn(n, generator=gen)
        out.append((x, y - y.mean()))
    return out


def main(steps=450):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(66)
    kernel = Kernel(3)
    gp = GP(kernel, blocks(gen, 6, 32, 3))
    opt = torch.optim.Adam(kernel.parameters(), lr=0.01)
    for step in range(steps):
        block = step % len(gp.blocks)
        loss = gp.nll(block)
        res = gp.residual(block)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gp.revision += 1
        if step % 75 == 0:
            info = gp.gram.cache_info()
            print(f"step {step} nll {loss.item():.4f} resid {res:.4f} hits {info.hits} size {info.currsize}")


if __name__ == "__main__":
    main()
