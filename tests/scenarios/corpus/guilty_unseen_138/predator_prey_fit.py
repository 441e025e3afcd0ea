# gradwatch-corpus: kind=crashed
# holder: state | du
# first-bad: 0
# notice: 0
"""Estimate Lotka-Volterra rates plus a neural correction by fitting an RK4 rollout to observed populations."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(3)

TRUE = dict(alpha=1.1, beta=0.4, delta=0.1, gamma=0.4)


class LotkaVolterra(nn.Module):
    def __init__(self, alpha=0.8, beta=0.3, delta=0.2, gamma=0.5):
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor(alpha))
        self.beta = nn.Parameter(torch.tensor(beta))
        self.delta = nn.Parameter(torch.tensor(delta))
        self.gamma = nn.Parameter(torch.tensor(gamma))

    def forward(self, t, u):
        prey, pred = u[0], u[1]
        d_prey = self.alpha * prey - self.beta * prey * pred
        d_pred = self.delta * prey * pred - self.gamma * pred
        return torch.tensor([d_prey, d_pred])  # <- culprit


def rk4_step(f, t, u, h):
    k1 = f(t, u)
    k2 = f(t + h / 2, u + h / 2 * k1)
    k3 = f(t + h / 2, u + h / 2 * k2)
    k4 = f(t + h, u + h * k3)
    return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, u0, times):
    us = [u0]
    for a, b in zip(times[:-1], times[1:]):
        us.append(rk4_step(f, a, us[-1], b - a))
    return torch.stack(us)


def observe(noise=0.05):
    times = torch.linspace(0, 6, 25)
    with torch.no_grad():
        u = odeint(LotkaVolterra(**TRUE), torch.tensor([4.0, 2.0]), times)
    return times, u + noise * torch.randn_like(u)


def fit(n_iter=400):
    times, data = observe()
    model = LotkaVolterra()
    opt = torch.optim.RMSprop(model.parameters(), lr=5e-3)
    for it in range(n_iter):
        opt.zero_grad()
        pred = odeint(model, data[0], times)
        loss = (pred - data).abs().mean()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            est = {n: round(p.item(), 3) for n, p in model.named_parameters()}
            print(it, round(loss.item(), 4), est)


if __name__ == "__main__":
    fit()
