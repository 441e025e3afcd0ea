# gradwatch-corpus: kind=graph-held
# holder: skipped | skipped[0].__traceback__ | err.__traceback__
# first-bad: 3
"""Gravity anomaly inversion. Batches with outlier stations are skipped and listed at the end."""
import logging
import sys

import torch
from torch import nn

log = logging.getLogger("inversion")


class BadBatch(Exception):
    def __init__(self, step, reason):
        super().__init__(f"step {step}: {reason}")
        self.step = step
        self.reason = reason


class DensityField(nn.Module):
    def __init__(self, nx=24, width=64):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(2, width),
            nn.GELU(),
            nn.Linear(width, width),
            nn.GELU(),
            nn.Linear(width, 1),
        )
        xs = torch.linspace(-1, 1, nx)
        grid = torch.cartesian_prod(xs, torch.linspace(-1, -0.1, nx))
        self.register_buffer("cells", grid)

    def forward(self, stations):
        rho = self.trunk(self.cells).squeeze(-1)
        offset = stations[:, None, :] - self.cells[None]
        r2 = offset.pow(2).sum(-1)
        kernel = offset[..., 1] / (r2 + 1e-2).pow(1.5)
        return kernel @ rho / len(rho)


def survey(step, gen, n=24):
    x = torch.rand(n, generator=gen) * 2 - 1
    stations = torch.stack([x, 0.05 * torch.ones(n)], dim=-1)
    anomaly = torch.exp(-8 * (x - 0.2) ** 2)
    anomaly = anomaly + 0.02 * torch.randn(n, generator=gen)
    if step % 3 == 2:
        anomaly[step % n] += 40.0
    return stations, anomaly


def invert_step(field, optimizer, step, gen):
    stations, anomaly = survey(step, gen)
    predicted = field(stations)
    residual = predicted - anomaly
    loss = residual.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(field.parameters(), 1.0)
    misfit = loss.item()
    if misfit > 10.0:
        raise BadBatch(step, f"misfit {misfit:.1f}")
    optimizer.step()
    return misfit


def run(n_steps):
    gen = torch.Generator().manual_seed(6)
    field = DensityField()
    optimizer = torch.optim.Adam(field.parameters(), lr=2e-3)
    skipped = []
    smooth = None
    for step in range(n_steps):
        try:
            value = invert_step(field, optimizer, step, gen)
        except BadBatch as err:
            log.debug("skipping %s", err)
            skipped.append(err)  # <- culprit
            continue
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        if step % 40 == 0:
            log.info("step %d misfit %.4f", step, smooth)
    return smooth, skipped


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    torch.manual_seed(13)
    smooth, skipped = run(180)
    log.info("final misfit %.4f", smooth)
    log.info("%d batches skipped, first: %s", len(skipped), skipped[0])


if __name__ == "__main__":
    main()
