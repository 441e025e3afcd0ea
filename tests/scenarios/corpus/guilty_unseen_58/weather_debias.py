# gradwatch-corpus: kind=graph-chain
# holder: bias | self.bias | mos.bias | drift
# first-bad: 1
"""Station post-processing (MOS) of 2 m temperature forecasts with online bias tracking."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(7)
torch.set_num_threads(1)
N_STATIONS, N_PRED = 40, 12


def make_archive(days, seed=3):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(N_PRED,)) * 0.5
    nwp = rng.normal(size=(days, N_STATIONS, N_PRED)).astype("float32")
    season = np.sin(np.arange(days) / 58.0)[:, None]
    obs = nwp @ w + 2 * season + 0.3 * rng.normal(size=(days, N_STATIONS))
    return torch.from_numpy(nwp), torch.from_numpy(obs.astype("float32"))


class MOS(nn.Module):
    """Linear model output statistics + exponentially decaying station bias."""

    def __init__(self, decay=0.9):
        super().__init__()
        self.linear = nn.Linear(N_PRED, 1)
        self.decay = decay
        self.register_buffer("bias", torch.zeros(N_STATIONS), persistent=False)

    def forward(self, x):
        raw = self.linear(x).squeeze(-1)
        return raw - self.bias, raw

    def track(self, raw, obs):
        err = raw - obs  # <- culprit
        self.bias = self.decay * self.bias + (1 - self.decay) * err  # <- culprit


def crps_like(pred, obs):
    # smooth absolute error, close to CRPS of a point forecast
    return nn.functional.huber_loss(pred, obs, delta=0.5)


def run(days=150):
    nwp, obs = make_archive(days)
    mos = MOS()
    opt = torch.optim.SGD(mos.parameters(), lr=0.02, momentum=0.5)
    scores = []
    for day in range(days):
        pred, raw = mos(nwp[day])
        loss = crps_like(pred, obs[day])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        mos.track(raw, obs[day])  # <- culprit
        scores.append(loss.item())
        if day % 30 == 29:
            print(f"day {day + 1}: mean score {np.mean(scores[-30:]):.4f}")
    return mos


if __name__ == "__main__":
    run()
