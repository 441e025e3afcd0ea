import torch


class ImpressionStream:
    """Endless stream of (slots, campaign, click)."""

    def __init__(self, cfg):
        self.cfg = cfg
        g = torch.Generator().manual_seed(cfg.seed)
        self.quality = [torch.randn(c, generator=g) * 0.4 for c in cfg.cardinalities]
        self.gen = g

    def __iter__(self):
        c = self.cfg
        while True:
            slots = torch.stack(
                [torch.randint(0, n, (c.batch_size,), generator=self.gen) for n in c.cardinalities], 1)
            campaign = torch.randint(0, c.n_campaigns, (c.batch_size,), generator=self.gen)
            score = sum(q[slots[:, i]] for i, q in enumerate(self.quality)) - 1.5
            click = torch.bernoulli(torch.sigmoid(score), generator=self.gen)
            yield {"slots": slots, "campaign": campaign, "click": click}
