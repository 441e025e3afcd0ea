# gradwatch-corpus: kind=graph-chain
# holder: learner.weights | self.weights | learner.weights[name] | self.weights[name] | self.weights[k]
# first-bad: 1
# notice: 5
"""Demand forecasting with step sizes that are tuned while training (hypergradient on a log-rate)."""
import torch

from learner import FunctionalRegressor
from series import weekly_demand, windows

WINDOW = 14
STEPS = 140


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    x, y = windows(weekly_demand(900), WINDOW)
    learner = FunctionalRegressor(WINDOW)
    meta_opt = torch.optim.Adam([learner.log_rate], lr=0.02)

    gen = torch.Generator().manual_seed(5)
    for step in range(STEPS):
        idx = torch.randint(len(x) - 200, (16,), generator=gen)
        val = torch.randint(len(x) - 200, len(x), (16,), generator=gen)

        learner.update(x[idx], y[idx])
        meta_loss = learner.loss(x[val], y[val])

        meta_opt.zero_grad()
        meta_loss.backward(retain_graph=True)
        meta_opt.step()

        if step % 20 == 0:
            rates = learner.log_rate.detach().exp()
            print(f"step {step:3d} val={meta_loss.item():.4f} rate_w={rates[0]:.4f} rate_b={rates[1]:.4f}")


if __name__ == "__main__":
    main()
