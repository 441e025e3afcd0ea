# gradwatch-corpus: kind=graph-held
# holder: volume["modelled"] | volume
# first-bad: 1
# notice: 8
"""River stage to discharge, fitted with a mass-balance side ledger per gauge."""
import torch
from torch import nn


def gauges(n, g):
    stage = torch.rand(n, 3, generator=g) * 4
    slope = torch.rand(n, 1, generator=g) * 0.02
    q = 2.1 * stage.mean(1, keepdim=True).pow(1.6) * (1 + 5 * slope)
    return torch.cat([stage, slope], 1), q


class RatingCurve(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh())
        self.mean = nn.Linear(20, 1)
        self.log_scale = nn.Linear(20, 1)

    def forward(self, x):
        h = self.trunk(x)
        return nn.functional.softplus(self.mean(h)), self.log_scale(h).clamp(-4, 4)


def make_ledger():
    """Returns (post, report): a small closure pair that does the accounting."""
    volume = {"modelled": 0.0, "gauged": 0.0, "steps": 0}

    def post(modelled, gauged, dt=900.0):
        volume["modelled"] = volume["modelled"] + modelled.sum() * dt  # <- culprit
        volume["gauged"] = volume["gauged"] + gauged.sum() * dt
        volume["steps"] += 1

    def report():
        ratio = volume["modelled"] / volume["gauged"]
        return f"{volume['steps']:4d} steps, modelled/gauged volume {ratio.item():.3f}"

    return post, report


def run(steps=320):
    torch.set_num_threads(1)
    torch.manual_seed(12)
    g = torch.Generator().manual_seed(13)
    net = RatingCurve()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    post, report = make_ledger()
    for k in range(1, steps + 1):
        x, q = gauges(24, g)
        mu, log_s = net(x)
        nll = (0.5 * ((q - mu) / log_s.exp()).square() + log_s).mean()
        opt.zero_grad()
        nll.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        post(mu, q)  # <- culprit
        if k % 80 == 0:
            print(report(), f"nll {nll.item():.3f}")


if __name__ == "__main__":
    run()
