import torch


def interactions(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    taste = torch.randn(cfg.n_users, 4, generator=g)
    topic = torch.randn(cfg.n_items, 4, generator=g)
    affinity = (taste @ topic.T).softmax(dim=-1)
    for _ in range(cfg.steps):
        users = torch.randint(cfg.n_users, (cfg.batch,), generator=g)
        items = torch.multinomial(affinity[users], 1, generator=g).squeeze(1)
        yield users, items
