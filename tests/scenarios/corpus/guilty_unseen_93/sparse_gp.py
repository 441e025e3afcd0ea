# gradwatch-corpus: kind=graph-held
# holder: self._grams | kernel._grams | gp.kernel._grams | self.kernel._grams
# first-bad: 1
# notice: 8
# GP regression on soil measurements: hyperparameters by minibatch marginal likelihood.
import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2024)
torch.set_default_dtype(torch.float64)

N, B, ITERS, JITTER = 500, 24, 300, 1e-5


def soil(n):
    xy = torch.rand(n, 2) * 4
    moisture = torch.sin(2 * xy[:, 0]) + 0.5 * torch.cos(3 * xy[:, 1])
    return xy, moisture + 0.1 * torch.randn(n)


class Kernel(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.log_amp = nn.Parameter(torch.zeros(()))
        self._grams = {}
        self.hits = 0

    def compute(self, a, b):
        raise NotImplementedError

    def gram(self, key, a):
        key = tuple(key.tolist())
        if key in self._grams:
            self.hits += 1
            return self._grams[key]
        k = self.compute(a, a)
        self._grams[key] = k  # <- culprit
        return k


class RBF(Kernel):
    def compute(self, a, b):
        s = self.log_scale.exp()
        d = (a / s)[:, None] - (b / s)[None]
        return self.log_amp.exp() * torch.exp(-0.5 * d.pow(2).sum(-1))


class Matern32(Kernel):
    def compute(self, a, b):
        s = self.log_scale.exp()
        d = (a / s)[:, None] - (b / s)[None]
        r = (d.pow(2).sum(-1) + 1e-12).sqrt() * math.sqrt(3)
        return self.log_amp.exp() * (1 + r) * torch.exp(-r)


class GP(nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel
        self.log_noise = nn.Parameter(torch.tensor(-1.0))
        self.mean = nn.Parameter(torch.zeros(()))

    def nll(self, idx, x, y):
        k = self.kernel.gram(idx, x)
        eye = torch.eye(len(x))
        chol = torch.linalg.cholesky(k + (self.log_noise.exp() + JITTER) * eye)
        r = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, chol)
        quad = 0.5 * (r * alpha).sum()
        return quad + chol.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, y, new):
        k = self.kernel.compute(x, x) + self.log_noise.exp() * torch.eye(len(x))
        w = torch.linalg.solve(k, y - self.mean)
        return self.mean + self.kernel.compute(new, x) @ w


X, Y = soil(N)
Xt, Yt = soil(100)
gp = GP(Matern32(2))
opt = torch.optim.Adam(gp.parameters(), lr=0.03)

for it in range(ITERS):
    idx = torch.randperm(N)[:B]
    opt.zero_grad()
    loss = gp.nll(idx, X[idx], Y[idx]) / B
    loss.backward()
    opt.step()
    if (it + 1) % 100 == 0:
        rmse = (gp.predict(X[:200], Y[:200], Xt) - Yt).pow(2).mean().sqrt()
        print(f"{it + 1}: nll/pt {loss.item():.3f} rmse {rmse.item():.3f} "
              f"noise {gp.log_noise.exp().item():.3f} hits {gp.kernel.hits}")
