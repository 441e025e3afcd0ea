from torch import nn


def build_net(cfg):
    return nn.Sequential(
        nn.Linear(cfg.d_in, cfg.hidden),
        nn.LayerNorm(cfg.hidden),
        nn.GELU(),
        nn.Linear(cfg.hidden, cfg.classes),
    )
