# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# Fit a small neural ODE to a damped pendulum with a fixed step RK2 solver.
import torch
import torch.nn as nn

torch.manual_seed(4)
torch.set_num_threads(1)


class ODEFunc(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.zeros_(m.bias)

    def forward(self, t, y):
        return self.net(y)


class Pendulum:
    def __call__(self, t, y):
        th, om = y[:, 0], y[:, 1]
        return torch.stack([om, -0.2 * om - 4 * torch.sin(th)], 1)


class Midpoint:
    def __init__(self, func):
        self.func = func

    def increment(self, t, y, dt):
        k1 = self.func(t, y)
        return dt * self.func(t + dt / 2, y + dt / 2 * k1)

    def integrate(self, y0, ts):
        sol = torch.empty(len(ts), *y0.shape)  # <- culprit
        sol[0] = y0
        for i in range(len(ts) - 1):
            dt = ts[i + 1] - ts[i]
            sol[i + 1] = sol[i] + self.increment(ts[i], sol[i], dt)  # <- culprit
        return sol


def random_starts(n):
    return torch.stack([torch.rand(n) * 2 - 1, torch.rand(n) - 0.5], 1) * 1.5


def main():
    ts = torch.linspace(0, 1.5, 16)
    with torch.no_grad():
        train0 = random_starts(64)
        truth = Midpoint(Pendulum()).integrate(train0, ts)

    func = ODEFunc()
    solver = Midpoint(func)
    opt = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    best = float("inf")
    for it in range(200):
        idx = torch.randperm(64)[:16]
        pred = solver.integrate(truth[0, idx], ts)
        loss = (pred - truth[:, idx]).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        best = min(best, loss.item())
        if it % 25 == 0:
            print(f"Iter {it:04d} | loss {loss.item():.5f} | best {best:.5f}")


main()
