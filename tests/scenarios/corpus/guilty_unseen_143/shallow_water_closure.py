# gradwatch-corpus: kind=inplace-modified
# holder: u
# first-bad: 40
# notice: 0
"""Learn the eddy viscosity of a 1-D Burgers-like channel: first from single steps, then from short rollouts."""
import torch

torch.set_num_threads(1)
torch.manual_seed(23)

NX, DX, DT = 32, 1.0 / 32, 0.002


class Closure(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))

    def forward(self, u, ux):
        return torch.nn.functional.softplus(self.net(torch.stack([u, ux], -1))).squeeze(-1) * 0.05


def tendency(u, closure):
    ux = (u[2:] - u[:-2]) / (2 * DX)
    uxx = (u[2:] - 2 * u[1:-1] + u[:-2]) / DX ** 2
    return -(u[1:-1] * ux) + closure(u[1:-1], ux) * uxx


def rollout(u0, closure, steps):
    u = u0.clone()
    for _ in range(steps):
        u[1:-1] += DT * tendency(u, closure)  # <- culprit
    return u


@torch.no_grad()
def truth(u0, steps):
    return rollout(u0, lambda u, ux: 0.01 + 0.002 * ux.abs(), steps)


def wave():
    x = torch.arange(NX) * DX
    k = torch.randint(1, 4, (1,)).item()
    return torch.sin(2 * torch.pi * k * x + torch.rand(1) * 6.0)


closure = Closure()
opt = torch.optim.Adam(closure.parameters(), lr=5e-3)
for n in range(300):
    steps = 1 if n < 40 else 6
    u0 = wave()
    loss = (rollout(u0, closure, steps) - truth(u0, steps)).square().mean() * 1e4
    opt.zero_grad()
    loss.backward()
    opt.step()
    if n % 10 == 0:
        print(n, steps, f"{loss.item():.5f}")
