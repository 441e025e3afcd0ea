# gradwatch-corpus: kind=graph-chain
# holder: self.storage | store.storage | self.stores[0].storage | model.cascade.stores[0].storage | model.cascade.stores[2].storage | model.cascade.stores[1].storage
# first-bad: 1
# notice: 5
"""Calibrate a three-store karst aquifer model against a synthetic spring hydrograph."""
import torch

from aquifer import SpringModel
from hydrograph import RainSeries

torch.set_num_threads(1)

N_SPRINGS = 12
DAYS = 170


def nash_sutcliffe(sim, obs):
    return 1.0 - ((sim - obs) ** 2).sum() / ((obs - obs.mean()) ** 2).sum().clamp_min(1e-6)


def calibrate():
    torch.manual_seed(31)
    series = RainSeries(n_springs=N_SPRINGS, days=DAYS, seed=5)
    model = SpringModel(series.n_features, N_SPRINGS)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)

    scores = []
    for day, (forcing, observed) in enumerate(series):
        q = model(forcing)
        misfit = torch.nn.functional.smooth_l1_loss(q, observed)
        # the stores carry water over from one day to the next
        opt.zero_grad(set_to_none=True)
        misfit.backward(retain_graph=True)
        opt.step()

        with torch.no_grad():
            scores.append(float(nash_sutcliffe(q, observed)))
        if day % 50 == 0:
            print(f"day {day:4d}  misfit {misfit.item():.4f}  NSE {scores[-1]:+.3f}  "
                  f"water in store {model.cascade.total_water():.2f}")

    tail = scores[-50:]
    print("mean NSE over the last 50 days: %.3f" % (sum(tail) / len(tail)))


if __name__ == "__main__":
    calibrate()
