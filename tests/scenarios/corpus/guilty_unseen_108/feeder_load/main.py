# gradwatch-corpus: kind=graph-chain
# holder: self._state | model._state | forecaster._state | self.model._state
# first-bad: 1
# notice: 5
"""Short-term load forecast for distribution feeders.

Additive Holt-Winters with trainable smoothing constants, run online:
one day of peak/off-peak readings arrives per iteration, the day ahead is forecast.
"""
import torch

from feed import FeederStream
from smoothing import AdditiveHoltWinters
from session import ForecastSession


def main():
    torch.set_num_threads(1)
    torch.manual_seed(20)

    stream = FeederStream(n_feeders=12, buckets=2, days=141)
    forecaster = AdditiveHoltWinters(n_feeders=12, buckets=2)
    session = ForecastSession(forecaster, lr=0.02)
    session.run(stream)

    print("alpha %.3f  beta %.3f  gamma %.3f" % forecaster.constants())
    worst = max(session.mape_by_day.items(), key=lambda kv: kv[1])
    print("worst day %d: %.2f%%" % worst)
    recent = [v for d, v in session.mape_by_day.items() if d > 100]
    print("recent mean %.2f%%" % (sum(recent) / len(recent)))


if __name__ == "__main__":
    main()
