# gradwatch-corpus: kind=graph-held
# holder: self.scalars[name] | logger.scalars[name] | logger.scalars
# first-bad: 1
"""Latent world model pre-training on a point-mass environment."""
import torch

from config import Config
from data import PointMassReplay
from metrics import MetricLogger
from model import WorldModel


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    replay = PointMassReplay(cfg)
    model = WorldModel(cfg)
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr, eps=1e-5)
    logger = MetricLogger(print_every=cfg.print_every)

    for step in range(cfg.steps):
        obs, act, rew = replay.sample(cfg.batch, cfg.horizon)
        losses = model.losses(obs, act, rew)
        total = losses["recon"] + cfg.reward_scale * losses["reward"] + cfg.kl_scale * losses["kl"]

        optim.zero_grad(set_to_none=True)
        total.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        optim.step()

        logger.add(total=total.item(), grad_norm=grad_norm.item())
        logger.add_all(losses, prefix="model/")
        logger.maybe_print(step)


if __name__ == "__main__":
    main()
