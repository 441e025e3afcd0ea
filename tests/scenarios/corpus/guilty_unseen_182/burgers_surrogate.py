# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""One-step neural surrogate of viscous Burgers with Dirichlet walls."""
import torch
import torch.nn as nn


def burgers_step(u, dx, dt=2e-3, nu=0.05, sub=5):
    for _ in range(sub):
        left, right = u[:, :-2], u[:, 2:]
        mid = u[:, 1:-1]
        adv = mid * (right - left) / (2 * dx)
        dif = nu * (right - 2 * mid + left) / dx ** 2
        u = torch.cat([u[:, :1], mid + dt * (dif - adv), u[:, -1:]], 1)
    return u


def random_profiles(n, grid, gen):
    x = torch.linspace(0, 1, grid)
    modes = torch.arange(1, 5).float()
    coef = torch.randn(n, 4, generator=gen) / modes
    return 0.5 * (coef[:, :, None] * torch.sin(torch.pi * modes[:, None] * x)[None]).sum(1)


class Surrogate(nn.Module):
    def __init__(self, grid, width=16):
        super().__init__()
        self.lift = nn.Conv1d(1, width, 5, padding=2)
        self.mix = nn.Conv1d(width, width, 5, padding=2)
        self.proj = nn.Conv1d(width, 1, 5, padding=2)
        self.wall = 0.0

    def forward(self, u):
        h = torch.relu(self.lift(u.unsqueeze(1)))
        h = h + torch.relu(self.mix(h))
        u_next = torch.tanh(self.proj(h).squeeze(1))
        u_next[:, 0] = self.wall  # <- culprit
        u_next[:, -1] = self.wall  # <- culprit
        return u_next


def main(steps=500, grid=48, batch=16):
    gen = torch.Generator().manual_seed(9)
    torch.manual_seed(9)
    dx = 1.0 / (grid - 1)
    u0 = random_profiles(512, grid, gen).clamp(-0.95, 0.95)
    u1 = burgers_step(u0, dx)
    net = Surrogate(grid)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, 0.5)
    for k in range(steps):
        i = torch.randint(0, len(u0), (batch,), generator=gen)
        pred = net(u0[i])
        data = (pred - u1[i]).pow(2).mean()
        slope = (pred.diff(dim=1) - u1[i].diff(dim=1)).pow(2).mean()
        loss = data + 0.1 * slope
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if k % 50 == 0:
            print(f"{k} mse {data.item():.2e} slope {slope.item():.2e}")


if __name__ == "__main__":
    main()
