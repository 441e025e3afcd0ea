# gradwatch-corpus: kind=graph-held
# holder: self._gram | kernel._gram | gp.kernel._gram | self.kernel._gram
# first-bad: 1
# notice: 8
# Porosity interpolation between boreholes: GP marginal likelihood, ARD hyperparameters.
import torch

from gp import ExactGP
from kernels import ArdMatern32


def boreholes(n, noise=0.05):
    xyz = torch.rand(n, 3)
    poro = 0.2 + 0.05 * torch.sin(5 * xyz[:, 0]) + 0.08 * torch.cos(3 * xyz[:, 1] * xyz[:, 2])
    return xyz, (poro - poro.mean()) / poro.std() + noise * torch.randn(n)


torch.set_num_threads(1)
torch.manual_seed(2024)

x, y = boreholes(40)
x_new, y_new = boreholes(25)
kernel = ArdMatern32(n_dims=3)
gp = ExactGP(kernel)
opt = torch.optim.Adam(gp.parameters(), lr=0.02)

for it in range(320):
    opt.zero_grad()
    nll = gp.neg_log_marginal(x, y)
    nll.backward()
    opt.step()
    if it % 40 == 0:
        with torch.no_grad():
            rmse = (gp.predict(x, y, x_new) - y_new).pow(2).mean().sqrt()
        print(f"{it:4d}  nll {nll.item():8.4f}  rmse {rmse.item():.4f}")

print("lengthscales", [round(v, 3) for v in kernel.lengthscale.tolist()])
