# gradwatch-corpus: kind=second-backward
# holder: self.alpha | pinn.alpha
# first-bad: 181
import numpy as np
import torch
import torch.nn as nn
from torch.autograd import grad

np.random.seed(0)
torch.manual_seed(0)

ALPHA_TRUE = 0.12


def u_exact(x, t):
    return np.exp(-ALPHA_TRUE * np.pi ** 2 * t) * np.sin(np.pi * x)


def inv_softplus(v):
    return float(np.log(np.expm1(v)))


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(x)


class HeatPINN:
    """u_t = alpha u_xx on a rod. First the field is fitted with a guess for alpha,
    then alpha is estimated together with the field."""

    def __init__(self, n_col=700, n_bc=100, n_obs=200, width=48):
        self.net = nn.Sequential(
            nn.Linear(2, width), Sine(),
            nn.Linear(width, width), Sine(),
            nn.Linear(width, width), Sine(),
            nn.Linear(width, 1))
        self.raw_alpha = torch.tensor(inv_softplus(0.05), requires_grad=False)
        self.alpha = nn.functional.softplus(self.raw_alpha)

        col = np.random.rand(n_col, 2)
        self.xc = torch.tensor(col[:, :1], dtype=torch.float32, requires_grad=True)
        self.tc = torch.tensor(col[:, 1:], dtype=torch.float32, requires_grad=True)

        tb = np.random.rand(n_bc, 1)
        xb = np.random.choice([0.0, 1.0], size=(n_bc, 1))
        self.bc = torch.tensor(np.hstack([xb, tb]), dtype=torch.float32)

        obs = np.random.rand(n_obs, 2)
        u = u_exact(obs[:, :1], obs[:, 1:])
        u += 0.01 * np.random.randn(*u.shape)
        self.obs = torch.tensor(obs, dtype=torch.float32)
        self.u_obs = torch.tensor(u, dtype=torch.float32)

        self.mse = nn.MSELoss()
        self.history = np.zeros((0, 4))

    def u(self, x, t):
        return self.net(torch.cat((x, t), 1))

    def residual(self):
        u = self.u(self.xc, self.tc)
        ones = torch.ones_like(u)
        u_x, u_t = grad(u, (self.xc, self.tc), ones, create_graph=True)
        u_xx = grad(u_x, self.xc, ones, create_graph=True)[0]
        return u_t - self.alpha * u_xx

    def loss(self):
        f = self.residual()
        l_pde = self.mse(f, torch.zeros_like(f))
        l_bc = self.mse(self.net(self.bc), torch.zeros(len(self.bc), 1))
        l_obs = self.mse(self.net(self.obs), self.u_obs)
        return l_pde, l_bc, l_obs

    def parameters(self):
        params = [{"params": self.net.parameters(), "lr": 1e-3}]
        if self.raw_alpha.requires_grad:
            params.append({"params": [self.raw_alpha], "lr": 1e-2})
        return params

    def release_alpha(self):
        self.raw_alpha.requires_grad_(True)
        self.alpha = nn.functional.softplus(self.raw_alpha)  # <- culprit

    def fit(self, n_iter, w=(1.0, 1.0, 10.0)):
        opt = torch.optim.Adam(self.parameters())
        for k in range(n_iter):
            opt.zero_grad()
            parts = self.loss()
            total = sum(wi * li for wi, li in zip(w, parts))
            total.backward()
            opt.step()
            row = [li.item() for li in parts] + [self.alpha.item()]
            self.history = np.vstack([self.history, row])
            if len(self.history) % 30 == 0:
                print("%5d  pde %.2e  bc %.2e  obs %.2e  alpha %.4f" % (len(self.history), *row))

    def error(self, n=50):
        x, t = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n))
        pts = torch.tensor(np.stack([x.ravel(), t.ravel()], 1), dtype=torch.float32)
        with torch.no_grad():
            u = self.net(pts).numpy().ravel()
        ref = u_exact(x, t).ravel()
        return np.linalg.norm(u - ref) / np.linalg.norm(ref)


pinn = HeatPINN()
print("stage 1: forward problem, alpha = %.3f" % pinn.alpha.item())
pinn.fit(180)
print("rel. L2 error %.3f" % pinn.error())

print("stage 2: inverse problem")
pinn.release_alpha()
pinn.fit(150)
print("rel. L2 error %.3f, alpha %.4f (true %.2f)" % (pinn.error(), pinn.alpha.item(), ALPHA_TRUE))
