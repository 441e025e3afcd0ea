import torch


def event_stream(cfg):
    """Communities talk mostly among themselves; yields time-ordered mini-batches."""
    g = torch.Generator().manual_seed(cfg.seed)
    half = cfg.nodes // 2
    for _ in range(cfg.events // cfg.batch):
        side = torch.randint(0, 2, (cfg.batch,), generator=g)
        src = torch.randint(0, half, (cfg.batch,), generator=g) + side * half
        dst = torch.randint(0, half, (cfg.batch,), generator=g) + side * half
        neg = torch.randint(0, half, (cfg.batch,), generator=g) + (1 - side) * half
        feats = 0.3 * torch.randn(cfg.batch, cfg.feat, generator=g)
        feats[:, 0] += side * 2.0 - 1.0
        dt = torch.rand(cfg.batch, generator=g)
        yield src, dst, neg, feats, dt
