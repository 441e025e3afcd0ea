# gradwatch-corpus: kind=inplace-modified
# holder: traj | buf
# first-bad: 80
# notice: 0
"""Surrogate of a stirred reactor: one-step fitting first, then free-running fine-tuning."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(63)

LAG, HORIZON = 5, 10


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(LAG, 20), nn.Softplus(), nn.Linear(20, 1))

    def forward(self, window):
        return window[:, -1] + self.net(window).squeeze(1)


def simulate(n):
    y = torch.rand(n) * 2
    k = 0.2 + 0.1 * torch.rand(n)
    out = []
    for _ in range(LAG + HORIZON):
        y = y - 0.1 * k * y + 0.05 * torch.sin(3 * y)
        out.append(y)
    return torch.stack(out, 1)


def one_step(model, y):
    t = int(torch.randint(LAG, LAG + HORIZON, ()))
    return model(y[:, t - LAG:t]), y[:, t]


def free_run(model, y):
    traj = y.clone()
    for t in range(LAG, LAG + HORIZON):
        traj[:, t] = model(traj[:, t - LAG:t])  # <- culprit
    return traj[:, LAG:], y[:, LAG:]


PLAN = [(one_step, 80, 5e-3), (free_run, 200, 1e-3)]

model = Surrogate()
for stage, (rollout, iters, lr) in enumerate(PLAN):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for i in range(iters):
        pred, truth = rollout(model, simulate(16))
        loss = (pred - truth).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"stage {stage} ({rollout.__name__}) loss {loss.item():.5f}")
