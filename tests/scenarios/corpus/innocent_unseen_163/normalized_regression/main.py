# gradwatch-corpus: kind=none
"""Predict temperature (K) and pressure (Pa) from the same sensor vector."""
import torch
from torch import nn

from losses import RunningScaleLoss, SumLoss

torch.set_num_threads(1)
torch.manual_seed(20)


class SensorNet(nn.Module):
    def __init__(self, n_in=10):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU())
        self.temp = nn.Linear(40, 1)
        self.pres = nn.Linear(40, 1)

    def forward(self, x):
        h = self.body(x)
        return {"temp": 300 + 10 * self.temp(h).squeeze(1), "pres": 1e3 * (100 + self.pres(h).squeeze(1))}


def sample(n, w1, w2):
    x = torch.randn(n, w1.numel())
    return x, {"temp": 300 + 8 * torch.tanh(x @ w1), "pres": 1e3 * (100 + (x @ w2).sin())}


def main():
    w1, w2 = torch.randn(10) / 3, torch.randn(10) / 3
    model = SensorNet()
    criterion = SumLoss(temp=RunningScaleLoss(nn.MSELoss()), pres=RunningScaleLoss(nn.L1Loss()))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    best = float("inf")
    for step in range(160):
        x, y = sample(64, w1, w2)
        loss = criterion(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 19:
            model.eval()
            with torch.no_grad():
                xv, yv = sample(256, w1, w2)
                err = (model(xv)["temp"] - yv["temp"]).abs().mean().item()
            model.train()
            best = min(best, err)
            parts = {k: round(v.item(), 3) for k, v in criterion.last.items()}
            print(f"step {step} scaled {parts} temp error {err:.2f} best {best:.2f}")


if __name__ == "__main__":
    main()
