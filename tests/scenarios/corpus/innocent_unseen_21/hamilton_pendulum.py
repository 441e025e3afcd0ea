# gradwatch-corpus: kind=none
"""Hamiltonian network for the double well and the pendulum with torch.func; trains on short leapfrog rollouts, energy drift on the side."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F


class SoftClip(torch.autograd.Function):
    """Identity whose gradient is squashed per row; long rollouts kick otherwise."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, limit):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx, g):
        n = g.norm(dim=-1, keepdim=True)
        return g / (1 + n / ctx.limit), None


def potential(kind, q):
    return 1 - torch.cos(q) if kind == "pendulum" else 0.25 * (q ** 2 - 1) ** 2


def true_field(kind):
    slope = grad(lambda q: potential(kind, q).sum())

    def field(s):
        q, p = s.chunk(2, -1)
        return torch.cat([p, -slope(q)], -1)

    return field


def rk4(field, s, dt):
    k1 = field(s)
    k2 = field(s + dt / 2 * k1)
    k3 = field(s + dt / 2 * k2)
    k4 = field(s + dt * k3)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@torch.no_grad()
def trajectories(kind, n, length, dt, g):
    s = torch.rand(n, 2, generator=g) * 3 - 1.5
    field, out = true_field(kind), [s]
    for _ in range(length):
        for _ in range(4):
            s = rk4(field, s, dt / 4)
        out.append(s)
    return torch.stack(out, 1)


class H(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1, bias=False))

    def forward(self, s):
        return self.net(s).squeeze(-1)


def make_field(model):
    energy = lambda w, s: functional_call(model, w, (s,))
    dh = vmap(grad(energy, argnums=1), in_dims=(None, 0))

    def field(weights, s):
        dq, dp = dh(weights, s).chunk(2, -1)
        return torch.cat([dp, -dq], -1)

    return field


def rollout(field, weights, s, steps, dt):
    for _ in range(steps):
        mid = s + dt / 2 * field(weights, s)
        s = SoftClip.apply(s + dt * field(weights, mid), 1.0)
        yield s


def main(iterations=240, horizon=3, dt=0.1):
    torch.manual_seed(17)
    g = torch.Generator().manual_seed(17)
    data = {k: trajectories(k, 96, 20, dt, g) for k in ("pendulum", "well")}
    models = {k: H() for k in data}
    fields = {k: make_field(m) for k, m in models.items()}
    opts = {k: torch.optim.Adam(m.parameters(), lr=3e-3) for k, m in models.items()}
    drift = {k: 0.0 for k in data}
    for it in range(iterations):
        kind = ("pendulum", "well")[it % 2]
        weights = dict(models[kind].named_parameters())
        rows = torch.randint(0, 96, (32,), generator=g)
        at = int(torch.randint(0, 20 - horizon, (), generator=g))
        path = data[kind][rows, at:at + horizon + 1]
        pred = torch.stack(list(rollout(fields[kind], weights, path[:, 0], horizon, dt)), 1)
        loss = F.mse_loss(pred, path[:, 1:]) / dt ** 2
        opts[kind].zero_grad()
        loss.backward()
        opts[kind].step()
        with torch.no_grad():
            e = models[kind](pred[:, -1]) - models[kind](path[:, 0])
        drift[kind] = 0.9 * drift[kind] + 0.1 * e.abs().mean().item()
        if it % 60 >= 58:
            print(f"{it + 1:4d} {kind:9s} loss {loss.item():.5f} (rms {math.sqrt(loss.item()) * dt:.4f}) "
                  f"drift {drift[kind]:.4f}")


if __name__ == "__main__":
    main()
