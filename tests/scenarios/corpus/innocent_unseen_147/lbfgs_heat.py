# gradwatch-corpus: kind=none
"""Conductivity along a rod from end-of-run temperatures, exported from `heat_inverse.ipynb`."""
import torch

torch.set_num_threads(1)
torch.manual_seed(10)
torch.set_default_dtype(torch.float64)

# %%
nx, nt, dt = 16, 12, 0.2
x = torch.linspace(0, 1, nx)


def march(u, kappa):
    mid = 0.5 * (kappa[1:] + kappa[:-1])
    for _ in range(nt):
        flux = mid * (u[1:] - u[:-1])
        u = torch.cat([u[:1], u[1:-1] + dt * (flux[1:] - flux[:-1]), u[-1:]])
    return u


# %%
starts = [torch.exp(-((x - c) ** 2) / 0.02) for c in (0.25, 0.5, 0.75)]
kappa_true = 0.6 + 0.3 * torch.sin(4 * x)
finals = [march(u, kappa_true) + 1e-3 * torch.randn(nx) for u in starts]


# %%
class RodProblem:
    def __init__(self):
        self.raw = torch.zeros(nx, requires_grad=True)
        self.last = None
        self.calls = 0

    def kappa(self):
        return torch.sigmoid(self.raw) * 1.2

    def objective(self):
        fit = sum((march(u, self.kappa()) - f).pow(2).sum() for u, f in zip(starts, finals))
        return fit + 1e-4 * self.kappa().diff().pow(2).sum()

    def closure_for(self, opt):
        def closure():
            opt.zero_grad()
            self.last = self.objective()
            self.last.backward()
            self.calls += 1
            return self.last

        return closure


problem = RodProblem()
for restart in range(4):
    with torch.no_grad():
        problem.raw.copy_(0.5 * torch.randn(nx))
    opt = torch.optim.LBFGS([problem.raw], lr=0.3, max_iter=2, history_size=5, tolerance_grad=0, tolerance_change=0)
    for k in range(110):
        opt.step(problem.closure_for(opt))
    print(restart, f"{problem.last.item():.3e}", problem.calls)
