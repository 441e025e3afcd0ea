import torch

from config import Basin


def block_stream(cfg):
    gen = torch.Generator().manual_seed(5)
    truth = {b: torch.rand(cfg.forcings, generator=gen) for b in Basin}
    level = {b: torch.tensor(0.5) for b in Basin}
    while True:
        out = {}
        for b in Basin:
            rain = torch.rand(cfg.cells, cfg.forcings, generator=gen) * 0.4
            level[b] = (1 - cfg.recession) * level[b] + (rain @ truth[b]).mean()
            out[b] = (rain, cfg.recession * level[b])
        yield out
