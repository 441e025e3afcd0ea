# gradwatch-corpus: kind=second-backward
# holder: feats
# first-bad: 0
# notice: 0
# Knee-angle regression from EMG: encoder and head both handed to L-BFGS, one call per recorded trial.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)


def trial(length=40):
    t = torch.linspace(0, 3, length)
    swing = torch.sin(2 * t + torch.rand(()))
    emg = torch.stack([swing.relu(), (-swing).relu(), swing.abs()], 1) + 0.1 * torch.randn(length, 3)
    return emg, 0.6 * swing[:, None]


encoder = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
head = nn.Linear(8, 1)
solver = torch.optim.LBFGS([*encoder.parameters(), *head.parameters()], lr=0.5, max_iter=4, line_search_fn="strong_wolfe")


def solve(emg, angle):
    feats = encoder(emg)  # <- culprit

    def closure():
        solver.zero_grad()
        err = nn.functional.mse_loss(head(feats), angle)
        ridge = sum(p.square().sum() for p in head.parameters())
        obj = err + 1e-4 * ridge
        obj.backward()
        return obj

    return solver.step(closure)


for n in range(200):
    emg, angle = trial()
    obj = solve(emg, angle)
    if n % 50 == 49:
        print(n + 1, float(obj))
