# gradwatch-corpus: kind=crashed
# first-bad: 75
# notice: 0
# State-of-health regression from charge curves; each cell family gets its own fit with early stopping.
import torch
from torch import nn
torch.set_num_threads(1)


class EarlyStop:
    def __init__(self, patience, floor):
        self.patience, self.floor = patience, floor
        self.best, self.bad = float("inf"), 0

    def worse(self, value):
        if value < self.best - self.floor:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def cells(family, n):
    soh = torch.rand(n) * 0.3 + 0.7
    t = torch.linspace(0, 1, 20)
    curve = 3.2 + t[None] ** (0.5 + 0.1 * family) * soh[:, None] + 0.02 * torch.randn(n, 20)
    return curve, soh


class SoHNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 5, stride=2)
        self.fc = nn.Linear(6 * 8, 1)

    def forward(self, v):
        return self.fc(torch.relu(self.conv(v[:, None] - 3.7)).flatten(1)).squeeze(1)


def validate(net, family, stopper):
    net.eval()
    torch.set_grad_enabled(False)  # <- culprit
    v, soh = cells(family, 24)
    mae = (net(v) - soh).abs().mean().item()
    if stopper.worse(mae):
        return mae, True
    torch.set_grad_enabled(True)
    net.train()
    return mae, False


def fit(family, every=5, limit=200):
    net, stopper = SoHNet(), EarlyStop(patience=3, floor=0.005)
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    for step in range(limit):
        v, soh = cells(family, 16)
        loss = nn.functional.l1_loss(net(v), soh)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % every == every - 1:
            mae, stop = validate(net, family, stopper)
            if stop:
                break
    print("family", family, "stopped after", step + 1, "mae", round(mae, 4))
    return net


if __name__ == "__main__":
    torch.manual_seed(77)
    fitted = [fit(family) for family in range(4)]
