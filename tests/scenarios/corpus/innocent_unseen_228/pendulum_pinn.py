# gradwatch-corpus: kind=none
"""Damped pendulum PINN; collocation points are resampled where the residual was large."""
import torch
from torch import nn


class FourierNet(nn.Module):
    def __init__(self, n_freq=6, width=24):
        super().__init__()
        self.register_buffer("freq", torch.arange(1, n_freq + 1).float())
        self.net = nn.Sequential(nn.Linear(2 * n_freq, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        phase = t * self.freq
        return self.net(torch.cat([phase.sin(), phase.cos()], dim=1))


def derivative(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


class AdaptiveSampler:
    def __init__(self, n, t_max):
        self.n = n
        self.t_max = t_max
        self.kept = torch.empty(0, 1)

    def draw(self):
        fresh = torch.rand(self.n - len(self.kept), 1) * self.t_max
        return torch.cat([fresh, self.kept]).requires_grad_(True)

    def keep_worst(self, points, residual, fraction=0.25):
        k = int(self.n * fraction)
        worst = residual.detach().abs().squeeze(1).topk(k).indices
        self.kept = points.detach()[worst]


def pendulum_residual(net, t, damping=0.2, stiffness=2.0):
    theta = net(t)
    d1 = derivative(theta, t)
    d2 = derivative(d1, t)
    return d2 + damping * d1 + stiffness * torch.sin(theta)


def main():
    torch.manual_seed(36)
    net = FourierNet()
    sampler = AdaptiveSampler(64, t_max=4.0)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    best = {"loss": float("inf"), "state": None}
    for step in range(140):
        t = sampler.draw()
        residual = pendulum_residual(net, t)
        t0 = torch.zeros(1, 1, requires_grad=True)
        theta0 = net(t0)
        speed0 = derivative(theta0, t0)
        loss = 0.1 * residual.pow(2).mean() + (theta0 - 1).pow(2).sum() + speed0.pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.keep_worst(t, residual)
        if loss.item() < best["loss"]:
            best["loss"] = loss.item()
            best["state"] = {k: v.detach().clone() for k, v in net.state_dict().items()}
        if step % 35 == 34:
            print(f"step {step + 1} loss {loss.item():.4f} best {best['loss']:.4f}")
    net.load_state_dict(best["state"])


if __name__ == "__main__":
    main()
