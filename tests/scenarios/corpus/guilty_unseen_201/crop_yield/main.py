# gradwatch-corpus: kind=graph-held
# holder: self.series[name] | self.series | tracker.series["train/quantile"] | tracker.series
# first-bad: 1
import torch

from model import QuantileNet, pinball
from tracking import Tracker


def make_fields(n):
    x = torch.randn(n, 9)
    rain, temp = x[:, 0], x[:, 1]
    y = 1.5 * rain - 0.7 * temp ** 2 + 0.3 * rain * x[:, 3] + torch.randn(n) * (0.4 + 0.2 * x[:, 4].abs())
    return x, y


def train(steps=500):
    torch.manual_seed(31)
    x, y = make_fields(3000)
    xv, yv = make_fields(400)
    taus = torch.tensor([0.1, 0.5, 0.9])
    model = QuantileNet(9, len(taus))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    tracker = Tracker(every=100)
    for step in range(steps):
        idx = torch.randint(0, len(x), (64,))
        pred = model(x[idx])
        loss = pinball(pred, y[idx], taus)
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()

        tracker.log("train/quantile", loss)  # <- culprit
        tracker.log("train/grad_norm", norm.item())
        if step % 50 == 49:
            model.eval()
            with torch.no_grad():
                out = model(xv)
                cover = ((yv > out[:, 0]) & (yv < out[:, 2])).float().mean()
            model.train()
            tracker.log("val/coverage", cover.item())
        tracker.maybe_print(step)
    return tracker


if __name__ == "__main__":
    train()
