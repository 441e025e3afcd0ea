# gradwatch-corpus: kind=graph-chain
# holder: trainer.estimator.state | self.state | estimator.state | self.estimator.state | state
# first-bad: 1
"""A recurrent estimator follows a noisy Lorenz system online, one update for each measurement,
as it would run on the rig."""
import torch

from estimator import Estimator
from lorenz import measurements
from rmsprop import HandRMS


class OnlineTrainer:
    def __init__(self, lr=2e-3, warmup=5):
        self.estimator = Estimator(n_obs=3, n_state=24)
        self.opt = HandRMS(self.estimator.parameters(), lr=lr)
        self.warmup = warmup

    def observe(self, y, y_next):
        prediction = self.estimator(y)
        innovation = prediction - y_next
        loss = innovation.square().mean()
        self.opt.clear()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.update()
        return loss.item()


def main(n=260):
    torch.manual_seed(8)
    trainer = OnlineTrainer()
    smoothed = 0.0
    stream = measurements(n + 1, seed=8)
    y = next(stream)
    for i, y_next in enumerate(stream):
        error = trainer.observe(y, y_next)
        smoothed = error if i == 0 else 0.95 * smoothed + 0.05 * error
        y = y_next
        if i % 50 == 0:
            print(f"t={i:4d}  innovation^2 {smoothed:.4f}  |state| {trainer.estimator.state.norm().item():.3f}")


if __name__ == "__main__":
    main()
