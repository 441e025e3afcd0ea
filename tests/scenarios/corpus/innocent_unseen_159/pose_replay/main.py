# gradwatch-corpus: kind=none
"""Pose regression from range scans: a reservoir of rendered scans fills up, then is reused."""
import torch
from torch import nn
import torch.nn.functional as F

from reservoir import Reservoir, Scanner

torch.set_num_threads(1)
torch.manual_seed(88)


class PoseNet(nn.Module):
    def __init__(self, beams=256):
        super().__init__()
        self.net = nn.Sequential(nn.AvgPool1d(4), nn.Flatten(), nn.Linear(beams // 4, 48), nn.ReLU(), nn.Linear(48, 3))

    def forward(self, scan):
        return self.net(scan.unsqueeze(1))


class Momentum:
    """Target copy of the net for a consistency term."""

    def __init__(self, net, beta):
        self.beta, self.net = beta, PoseNet()
        self.net.load_state_dict(net.state_dict())
        self.net.requires_grad_(False)

    def follow(self, net):
        with torch.no_grad():
            for a, b in zip(self.net.parameters(), net.parameters()):
                a.mul_(self.beta).add_(b, alpha=1 - self.beta)


def main(steps=130):
    net = PoseNet()
    tgt = Momentum(net, 0.95)
    res = Reservoir(Scanner(beams=256), capacity=20, batch=160)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    kept = []
    for k in range(steps):
        scan, pose = res.draw()
        out = net(scan + 0.02 * torch.randn_like(scan))
        loss = F.smooth_l1_loss(out, pose) + 0.1 * F.mse_loss(out, tgt.net(scan))
        opt.zero_grad()
        loss.backward()
        opt.step()
        tgt.follow(net)
        kept.append(loss.item())
        if k % 26 == 25:
            print(k, f"{sum(kept[-26:]) / 26:.4f}", f"{len(res)} sets")


if __name__ == "__main__":
    main()
