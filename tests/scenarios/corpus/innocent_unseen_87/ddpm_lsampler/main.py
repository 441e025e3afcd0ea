# gradwatch-corpus: kind=none
"""Improved-DDPM style training on 1-D signals: loss-second-moment sampler, two EMA rates, eval by DDIM."""
import torch

from schedule import cosine_alpha_bar
from sampler import LossSecondMoment
from train_util import TrainLoop
from unet import Net


def signals(n, length=32):
    t = torch.linspace(0, 6.283, length)
    k = torch.randint(1, 4, (n, 1)).float()
    return torch.sin(k * t + 6.283 * torch.rand(n, 1))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    ab = cosine_alpha_bar(50)
    loop = TrainLoop(
        model=Net(32, 64, 50), alpha_bar=ab, data=signals,
        sampler=LossSecondMoment(50, keep=5), ema_rates=(0.95, 0.995),
        batch=48, micro=24, lr=1e-3, iters=420, log_every=70,
    )
    loop.run()
