# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Neural ODE on spirals with per-dimension damping. RK4 solver, no torchdiffeq.

"""
import torch
import torch.nn as nn

torch.manual_seed(123)
torch.set_num_threads(1)


class ODEFunc(nn.Module):
    def __init__(self, dim=2, hidden=32):
        super().__init__()
        self.log_damping = nn.Parameter(torch.full((dim,), -2.0))
        self.damping = torch.exp(self.log_damping)  # <- culprit
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.zeros_(m.bias)

    def forward(self, t, y):
        return self.net(y ** 3) - self.damping * y  # <- culprit


def rk4_step(f, t, y, dt):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt / 2 * k1)
    k3 = f(t + dt / 2, y + dt / 2 * k2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, y0, ts):
    ys = [y0]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        ys.append(rk4_step(f, t0, ys[-1], t1 - t0))
    return torch.stack(ys)


class TrueSpiral(nn.Module):
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])

    def forward(self, t, y):
        return (y ** 3) @ self.A


def get_batch(true_y, ts, n=16, length=8):
    start = torch.randperm(len(ts) - length)[:n]
    y0 = true_y[start, 0]
    target = torch.stack([true_y[start + i, 0] for i in range(length)])
    return y0, ts[:length], target


def train(niters=100):
    ts = torch.linspace(0.0, 10.0, 200)
    with torch.no_grad():
        true_y = odeint(TrueSpiral(), torch.tensor([[2.0, 0.0]]), ts)
    func = ODEFunc()
    optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    for itr in range(1, niters + 1):
        optimizer.zero_grad()
        y0, t, target = get_batch(true_y, ts)
        loss = (odeint(func, y0, t) - target).abs().mean()
        loss.backward()
        optimizer.step()
        if itr % 20 == 0:
            print(f"Iter {itr:04d} | Total Loss {loss.item():.6f}")


if __name__ == "__main__":
    train()
