# gradwatch-corpus: kind=memory-climb
# holder: self.futures | scorer.futures
"""Autoencoder of vibration traces; envelopes of the residual are computed in a side thread."""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn

torch.manual_seed(17)
torch.set_num_threads(1)

TRACE, BATCH, STEPS = 256, 320, 190


class TraceCoder(nn.Module):
    def __init__(self, code=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(TRACE, 192), nn.ELU(), nn.Linear(192, code))
        self.dec = nn.Sequential(nn.Linear(code, 192), nn.ELU(), nn.Linear(192, TRACE))

    def forward(self, x):
        return self.dec(self.enc(x))


def envelope(residual):
    kernel = np.hanning(9)
    kernel /= kernel.sum()
    power = np.abs(residual)
    smooth = np.empty_like(power)
    for row in range(0, len(power), 4):
        smooth[row:row + 4] = np.convolve(power[row], kernel, mode="same")
    return smooth


@dataclass
class ResidualScorer:
    pool: ThreadPoolExecutor
    futures: list = field(default_factory=list)
    alarms: int = 0
    checked: int = 0

    def submit(self, residual):
        job = self.pool.submit(envelope, residual)
        self.futures.append(job)  # <- culprit

    def poll(self):
        for job in self.futures[self.checked:]:  # <- culprit
            if not job.done():
                break
            env = job.result()
            self.alarms += int((env.max(1) > 4 * env.mean()).sum())
            self.checked += 1  # <- culprit


def traces(rng):
    t = np.linspace(0, 1, TRACE, dtype=np.float32)
    while True:
        freq = rng.uniform(2, 9, (BATCH, 1)).astype(np.float32)
        phase = rng.uniform(0, 6.28, (BATCH, 1)).astype(np.float32)
        yield torch.from_numpy(np.sin(6.28 * freq * t + phase) + rng.normal(0, 0.05, (BATCH, TRACE)).astype(np.float32))


def main():
    rng = np.random.default_rng(17)
    model = TraceCoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    with ThreadPoolExecutor(max_workers=1) as pool:
        scorer = ResidualScorer(pool)
        for step, x in zip(range(STEPS), traces(rng)):
            out = model(x)
            loss = nn.functional.mse_loss(out, x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step > 0:
                scorer.poll()
            scorer.submit((out.detach() - x).numpy())
            if step % 60 == 0:
                print(f"{step:4d} mse {loss.item():.4f} alarms {scorer.alarms}")
    scorer.poll()
    print("checked", scorer.checked, "alarms", scorer.alarms)


if __name__ == "__main__":
    main()
