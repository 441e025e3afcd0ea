# gradwatch-corpus: kind=none
"""Physics-informed network for the viscous Burgers equation, u_t + u u_x = nu u_xx,
on [-1, 1] x [0, 1]; L-BFGS throughout, with a learnt viscosity (inverse problem)."""
import math

import torch
import torch.nn as nn

NU_TRUE = 0.05


class PINN(nn.Module):
    def __init__(self, width=20, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth + [1]
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            lin = nn.Linear(a, b)
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)
            layers += [lin, nn.Tanh()]
        self.net = nn.Sequential(*layers[:-1])
        self.log_nu = nn.Parameter(torch.tensor(math.log(0.2)))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


@torch.no_grad()
def reference_solution(nu, nx=101, nt=2000):
    """Explicit finite differences, good enough for data points."""
    x = torch.linspace(-1, 1, nx)
    u = -torch.sin(math.pi * x)
    dx, dt = 2 / (nx - 1), 1 / nt
    frames = []
    for n in range(nt):
        if n % 100 == 0:
            frames.append(u.clone())
        conv = 0.25 * (u[2:] ** 2 - u[:-2] ** 2) / dx
        diff = nu * (u[2:] - 2 * u[1:-1] + u[:-2]) / dx ** 2
        u = u.clone()
        u[1:-1] = u[1:-1] + dt * (diff - conv)
    return x, torch.arange(0, nt, 100) * dt, torch.stack(frames)


class BurgersProblem:
    def __init__(self, n_colloc=150, n_data=80, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.x = 2 * torch.rand(n_colloc, 1, generator=g) - 1
        self.t = torch.rand(n_colloc, 1, generator=g)
        gx, gt, u = reference_solution(NU_TRUE)
        i = torch.randint(len(gt), (n_data,), generator=g)
        j = torch.randint(len(gx), (n_data,), generator=g)
        self.data = (gx[j].unsqueeze(1), gt[i].unsqueeze(1), u[i, j].unsqueeze(1))
        self.grid = (gx, gt, u)

    def residual(self, model):
        x, t = self.x.clone().requires_grad_(), self.t.clone().requires_grad_()
        u = model(x, t)
        u_x, u_t = d(u, x), d(u, t)
        return u_t + u * u_x - model.log_nu.exp() * d(u_x, x)

    def losses(self, model):
        xd, td, ud = self.data
        return {"pde": self.residual(model).pow(2).mean(),
                "data": 10.0 * (model(xd, td) - ud).pow(2).mean()}

    @torch.no_grad()
    def relative_error(self, model):
        gx, gt, u = self.grid
        tt, xx = torch.meshgrid(gt, gx, indexing="ij")
        pred = model(xx.reshape(-1, 1), tt.reshape(-1, 1)).view_as(u)
        return ((pred - u).norm() / u.norm()).item()


class Solver:
    def __init__(self, model, problem, steps=220):
        self.model, self.problem, self.steps = model, problem, steps
        self.optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=2, history_size=20)
        self.last = {}
        self.curve = []

    def closure(self):
        self.optimizer.zero_grad()
        losses = self.problem.losses(self.model)
        total = sum(losses.values())
        total.backward()
        self.last = {k: v.detach() for k, v in losses.items()}
        return total.detach()

    def solve(self):
        for k in range(self.steps):
            value = self.optimizer.step(self.closure)
            self.curve.append(value.item())
            if k % 55 == 54:
                parts = " ".join(f"{n} {v.item():.2e}" for n, v in self.last.items())
                print(f"step {k + 1}: {parts} nu {self.model.log_nu.exp().item():.4f} "
                      f"rel. error {self.problem.relative_error(self.model):.3f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    solver = Solver(PINN(), BurgersProblem())
    solver.solve()
    print(f"from {solver.curve[0]:.3f} to {solver.curve[-1]:.2e}; true nu {NU_TRUE}")
