from collections import namedtuple

import torch

CFG = dict(seed=21, nodes=160, feat=12, dim=24, lr=3e-3, chunk=32, chunks=220)
Event = namedtuple("Event", "src dst fake t feat")


def interactions(cfg):
    g = torch.Generator().manual_seed(cfg["seed"])
    taste = torch.randn(cfg["nodes"], cfg["feat"], generator=g)
    clock = 0.0
    half = cfg["nodes"] // 2
    for _ in range(cfg["chunks"]):
        src = torch.randint(0, half, (cfg["chunk"],), generator=g)
        offers = torch.randint(half, cfg["nodes"], (cfg["chunk"], 6), generator=g)
        liking = (taste[src].unsqueeze(1) * taste[offers]).sum(-1)
        dst = offers.gather(1, liking.argmax(1, keepdim=True)).squeeze(1)
        fake = offers[:, 0]
        t = clock + torch.rand(cfg["chunk"], generator=g).cumsum(0)
        clock = t[-1].item()
        feat = taste[src] + taste[dst] + 0.1 * torch.randn(cfg["chunk"], cfg["feat"], generator=g)
        yield Event(src, dst, fake, t, feat)
