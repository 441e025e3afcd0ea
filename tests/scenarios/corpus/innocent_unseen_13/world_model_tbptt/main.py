# gradwatch-corpus: kind=none
"""Recurrent world model for parallel pendulum environments, trained by truncated backpropagation
through time: the recurrent state goes on from window to window, gradients do not."""
import torch

from envs import PendulumFleet
from model import WorldModel
from trainer import Trainer


def main(windows=300):
    torch.manual_seed(13)
    fleet = PendulumFleet(n=12, seed=13)
    model = WorldModel(obs_dim=3, act_dim=1, hidden=32)
    trainer = Trainer(model, fleet, window=8)
    for w in range(windows):
        metrics = trainer.window_step()
        if w % 60 == 0:
            drift = trainer.state_drift()
            print(f"window {w:4d} nll {metrics.nll:.3f} overshoot {metrics.overshoot:.3f} state drift {drift:.3f}")


if __name__ == "__main__":
    main()
