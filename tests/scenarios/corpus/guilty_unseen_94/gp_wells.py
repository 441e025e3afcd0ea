# gradwatch-corpus: kind=graph-held
# holder: gram | gram.cache_info() | gram.__wrapped__ | self.gram
# first-bad: 1
# notice: 8
"""Gaussian-process interpolation of groundwater levels measured in wells.
Type-II maximum likelihood with mini-batches of wells (subset of data)."""
from functools import lru_cache

import numpy as np
import torch

torch.set_num_threads(1)
rng = np.random.default_rng(3)
torch.manual_seed(3)

N = 300
XY = torch.tensor(rng.uniform(0, 10, size=(N, 2)), dtype=torch.float64)
HEAD = (
    torch.sin(XY[:, 0] / 1.7)
    + 0.5 * torch.cos(XY[:, 1] / 0.9)
    + 0.05 * torch.tensor(rng.normal(size=N))
)


class Hyper(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = torch.nn.Parameter(torch.zeros(2, dtype=torch.float64))
        self.log_amp = torch.nn.Parameter(torch.zeros((), dtype=torch.float64))
        self.log_noise = torch.nn.Parameter(torch.tensor(-2.0, dtype=torch.float64))

    def values(self):
        return self.log_scale.exp(), self.log_amp.exp(), self.log_noise.exp()


# gram is asked for twice per evaluation (fit term, complexity term)
@lru_cache(maxsize=None)  # <- culprit
def gram(wells, scale, amp, noise):
    x = XY[list(wells)] / scale
    sq = (x[:, None, :] - x[None, :, :]).square().sum(-1)
    return amp * torch.exp(-0.5 * sq) + (noise + 1e-6) * torch.eye(len(wells), dtype=x.dtype)


def data_fit(wells, theta):
    K = gram(wells, *theta)  # <- culprit
    y = HEAD[list(wells)]
    return 0.5 * y @ torch.linalg.solve(K, y)


def complexity(wells, theta):
    return 0.5 * torch.logdet(gram(wells, *theta))  # <- culprit


def predict(hyper, known, new):
    with torch.no_grad():
        scale, amp, noise = hyper.values()
        a, b = XY[known] / scale, XY[new] / scale
        K = amp * torch.exp(-0.5 * torch.cdist(a, a) ** 2) + noise * torch.eye(len(known), dtype=a.dtype)
        k = amp * torch.exp(-0.5 * torch.cdist(b, a) ** 2)
        return k @ torch.linalg.solve(K, HEAD[known])


def main():
    hyper = Hyper()
    opt = torch.optim.Adam(hyper.parameters(), lr=0.03)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)
    perm = rng.permutation(N)
    known, new = perm[:240], perm[240:]

    trace = []
    for it in range(260):
        wells = tuple(int(i) for i in rng.choice(known, size=28, replace=False))
        theta = hyper.values()
        nll = (data_fit(wells, theta) + complexity(wells, theta)) / len(wells)
        opt.zero_grad()
        nll.backward()
        opt.step()
        sched.step()
        trace.append(nll.item())
        if it % 52 == 51:
            s, a, n = (v.detach().numpy().round(3) for v in hyper.values())
            print(f"{it + 1:4d} nll={np.mean(trace[-52:]):+.4f} scale={s} amp={a} noise={n}")

    err = (predict(hyper, known, new) - HEAD[new]).square().mean().sqrt()
    print("rmse at the unseen wells: %.4f" % err.item())


if __name__ == "__main__":
    main()
