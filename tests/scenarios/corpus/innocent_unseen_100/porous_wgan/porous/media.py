import torch


def micrographs(cfg):
    r = torch.linspace(0, 1, cfg.features)
    while True:
        phi = 0.2 + 0.5 * torch.rand(cfg.batch, 1)
        corr = 0.1 + 0.4 * torch.rand(cfg.batch, 1)
        yield phi ** 2 + phi * (1 - phi) * torch.exp(-r / corr)
