# gradwatch-corpus: kind=graph-held
# holder: self.incidents | desk.incidents | exc | exc.__traceback__ | loss | fitted
# first-bad: 8
# notice: 24
"""Fits a small implied volatility surface; batches with a gradient spike are skipped and listed."""
import argparse
import logging

import torch
import torch.nn as nn

log = logging.getLogger("surface")


class GradientSpike(ArithmeticError):
    def __init__(self, norm, limit):
        super().__init__(f"gradient norm {norm:.2f} above {limit:.2f}")
        self.norm = norm


class Surface(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(),
                                 nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 1))

    def forward(self, moneyness, tenor):
        z = torch.stack([moneyness, tenor.sqrt()], dim=-1)
        return nn.functional.softplus(self.net(z).squeeze(-1))


class Quotes:
    """Market quotes with now and then a page in per cent."""

    def __init__(self, seed, per_batch=48, slip_rate=0.35):
        self.g = torch.Generator().manual_seed(seed)
        self.per_batch, self.slip_rate = per_batch, slip_rate

    def __iter__(self):
        while True:
            m = torch.randn(self.per_batch, generator=self.g) * 0.3
            t = torch.rand(self.per_batch, generator=self.g) * 2 + 0.05
            vol = 0.2 + 0.3 * m ** 2 - 0.05 * m / t.sqrt()
            vol = vol + 0.01 * torch.randn(self.per_batch, generator=self.g)
            if torch.rand((), generator=self.g) < self.slip_rate:
                vol[:6] *= 100
            yield m, t, vol


class FittingDesk:
    def __init__(self, model, lr, limit):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.limit = limit
        self.incidents = []
        self.accepted = 0

    def _gradients(self, m, t, vol):
        fitted = self.model(m, t)
        vega = torch.exp(-0.5 * m ** 2)
        loss = (vega * (fitted - vol) ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.limit).item()
        if norm > self.limit:
            raise GradientSpike(norm, self.limit)
        return loss.item()

    def fit_batch(self, batch):
        try:
            value = self._gradients(*batch)
        except GradientSpike as exc:
            log.debug("skipped: %s", exc)
            self.incidents.append(exc)  # <- culprit
            return None
        self.opt.step()
        self.accepted += 1
        return value

    def report(self):
        norms = sorted(e.norm for e in self.incidents)
        middle = norms[len(norms) // 2] if norms else 0.0
        return f"{self.accepted} batches taken, {len(norms)} skipped, median spike {middle:.1f}"


def parse():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--batches", type=int, default=180)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--limit", type=float, default=1.5)
    return ap.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(8)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    desk = FittingDesk(Surface(), args.lr, args.limit)
    for number, batch in zip(range(args.batches), Quotes(seed=4)):
        value = desk.fit_batch(batch)
        if value is not None and number % 30 == 0:
            log.info("batch %d rmse %.4f", number, value ** 0.5)
    log.info(desk.report())


if __name__ == "__main__":
    main()
