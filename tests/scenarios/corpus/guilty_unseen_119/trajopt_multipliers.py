# gradwatch-corpus: kind=graph-chain
# holder: self.dual | self.dual['pos'] | self.dual['vel'] | self.dual[k] | sol.dual | sol.dual['pos'] | sol.dual['vel'] | u
# first-bad: 1
# notice: 5
# Direct collocation of a point mass through a wind field, augmented Lagrangian.
# Decision variables: all of pos(t), vel(t), force(t).  Equality constraints are the
# implicit Euler defects, in scaled form: vel is metres per step, frc metres per step^2,
# u = lambda / rho.  The scaled multipliers are raised after each primal step.
import torch
import numpy as np

torch.set_num_threads(1)
torch.manual_seed(11)

N = 24
T = 2.0
h = T / (N - 1)
ITERS = 220
START = torch.tensor([0.0, 0.0])
GOAL = torch.tensor([1.0, 0.6])


def wind(p):
    """A smooth swirl about (0.5, 0.2)."""
    c = p - torch.tensor([0.5, 0.2])
    r2 = (c ** 2).sum(-1, keepdim=True)
    return torch.stack([-c[:, 1], c[:, 0]], -1) * torch.exp(-4 * r2)


class Collocation:
    def __init__(self, rho=20.0):
        s = torch.linspace(0, 1, N)[:, None]
        self.z = {
            'pos': (START + s * (GOAL - START)).clone().requires_grad_(),
            'vel': ((GOAL - START) / (N - 1)).repeat(N, 1).clone().requires_grad_(),
            'frc': (1e-3 * torch.randn(N, 2)).requires_grad_(),
        }
        self.rho = rho
        self.dual = {'pos': torch.zeros(N - 1, 2), 'vel': torch.zeros(N - 1, 2)}
        self.opt = torch.optim.Adam(list(self.z.values()), lr=0.01)

    def defects(self):
        p, v, f = self.z['pos'], self.z['vel'], self.z['frc']
        dp = p[1:] - p[:-1] - v[1:]
        dv = v[1:] - v[:-1] - f[1:]
        return {'pos': dp, 'vel': dv}

    def running_cost(self):
        p, v, f = self.z['pos'], self.z['vel'], self.z['frc']
        effort = h * ((f / h ** 2 - 3.0 * wind(p)) ** 2).sum()
        ends = ((p[0] - START) ** 2).sum() + ((p[-1] - GOAL) ** 2).sum()
        rest = (v[0] ** 2).sum() + (v[-1] ** 2).sum()
        return 0.002 * effort + 20 * ends + 2 * rest / h ** 2

    def lagrangian(self):
        c = self.defects()
        val = self.running_cost()
        for k in c:
            r = c[k] + self.dual[k]
            val = val + 0.5 * self.rho * (r * r).sum()
        return val

    def primal(self):
        self.opt.zero_grad()
        val = self.lagrangian()
        val.backward()
        self.opt.step()
        return val.item()

    def raise_dual(self):
        worst = 0.0
        c = self.defects()
        for k, u in self.dual.items():
            self.dual[k] = torch.add(u, c[k], alpha=0.05)  # <- culprit
            worst = max(worst, c[k].abs().max().item())
        return worst


sol = Collocation()
trace = np.zeros((ITERS, 2))
for it in range(ITERS):
    trace[it, 0] = sol.primal()
    trace[it, 1] = sol.raise_dual()
    if it % 50 == 49:
        print(f'{it:4d}  L={trace[it, 0]: .5f}  max defect={trace[it, 1]:.2e}  rho={sol.rho:.2f}')

p = sol.z['pos'].detach().numpy()
print('path length', np.linalg.norm(np.diff(p, axis=0), axis=1).sum().round(4))
