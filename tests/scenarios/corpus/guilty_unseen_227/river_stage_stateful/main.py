# gradwatch-corpus: kind=graph-chain
# holder: self.storage | cell.storage
# first-bad: 1
import math

import torch

from model import Reservoir
from optim import MomentumDescent

N_SITES = 12
WINDOW = 5
N_WINDOWS = 80


def make_series(total):
    t = torch.arange(total).float()
    season = torch.sin(2 * math.pi * t / 60.0)
    rain = torch.relu(torch.randn(N_SITES, total) + season)
    temp = season.expand(N_SITES, total) + 0.1 * torch.randn(N_SITES, total)
    forcing = torch.stack([rain, temp], dim=-1)
    stage = torch.zeros(N_SITES, total)
    level = torch.zeros(N_SITES)
    for i in range(total):
        level = 0.8 * level + rain[:, i] - 0.05 * torch.relu(temp[:, i])
        stage[:, i] = 0.2 * level
    return forcing, stage


def nse(pred, obs):
    return 1.0 - ((pred - obs).pow(2).sum() / (obs - obs.mean()).pow(2).sum()).item()


def main():
    torch.manual_seed(21)
    forcing, stage = make_series(WINDOW * N_WINDOWS)
    cell = Reservoir(2, 6)
    opt = MomentumDescent(cell.parameters(), lr=0.01)
    cell.reset(N_SITES)
    for w in range(N_WINDOWS):
        sl = slice(w * WINDOW, (w + 1) * WINDOW)
        pred = cell(forcing[:, sl])
        loss = torch.nn.functional.smooth_l1_loss(pred, stage[:, sl])
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        norm = opt.step()
        if w % 16 == 0:
            score = nse(pred.detach(), stage[:, sl])
            print(f"window {w:3d} loss {loss.item():.4f} nse {score:+.3f} |g| {norm:.3f}")


if __name__ == "__main__":
    main()
