import torch


def spectra_batches(cfg):
    grid = torch.linspace(0, 1, cfg.bands)
    for _ in range(cfg.batches):
        soc = torch.rand(cfg.batch_size) * 3
        clay = torch.rand(cfg.batch_size)
        horizon = torch.randint(0, 4, (cfg.batch_size,))
        base = 0.4 + 0.3 * grid - 0.05 * horizon[:, None]
        dip = soc[:, None] * 0.08 * torch.exp(-((grid - 0.35) / 0.05) ** 2)
        water = clay[:, None] * 0.2 * torch.exp(-((grid - 0.7) / 0.03) ** 2)
        refl = base - dip - water + 0.01 * torch.randn(cfg.batch_size, cfg.bands)
        yield {"refl": refl, "soc": soc, "horizon": horizon}
