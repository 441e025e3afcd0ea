# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Neural controlled dynamics: rollout written into a preallocated buffer."""
import torch
import torch.nn as nn


class Dynamics(nn.Module):
    def __init__(self, dim=6, hid=64, horizon=12):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim + 2, hid), nn.Tanh(), nn.Linear(hid, dim))
        self.horizon = horizon

    def rollout(self, x0, controls):
        B, D = x0.shape
        states = torch.zeros(self.horizon + 1, B, D)  # <- culprit
        states[0] = x0
        for t in range(self.horizon):
            dx = self.f(torch.cat([states[t], controls[:, t]], -1))
            states[t + 1] = states[t] + 0.1 * dx * states[t].cos()  # <- culprit
        return states


def batches(n, B=32, H=12):
    for _ in range(n):
        x0 = torch.randn(B, 6)
        u = torch.randn(B, H, 2)
        yield x0, u, torch.sin(x0)


def main():
    torch.manual_seed(5)
    model = Dynamics()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for k, (x0, u, target) in enumerate(batches(120)):
        traj = model.rollout(x0, u)
        loss = (traj[-1] - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if k % 20 == 0:
            print(k, loss.item())


main()
