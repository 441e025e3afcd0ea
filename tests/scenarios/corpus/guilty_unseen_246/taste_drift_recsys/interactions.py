import torch


def interaction_stream(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    user_taste = torch.randint(0, 10, (cfg.n_users,), generator=gen)
    per_cluster = cfg.n_items // 10
    while True:
        users = torch.randint(0, cfg.n_users, (cfg.batch_size,), generator=gen)
        offset = torch.randint(0, per_cluster, (cfg.batch_size,), generator=gen)
        positives = user_taste[users] * per_cluster + offset
        negatives = torch.randint(0, cfg.n_items, (cfg.batch_size,), generator=gen)
        yield {"user": users, "pos": positives, "neg": negatives}
