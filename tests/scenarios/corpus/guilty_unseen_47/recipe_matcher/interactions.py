import torch


def make_interactions(n_cooks, n_dishes, rng):
    taste = torch.randn(n_cooks, 4, generator=rng)
    style = torch.randn(n_dishes, 4, generator=rng)
    score = taste @ style.t() + 0.5 * torch.randn(n_cooks, n_dishes, generator=rng)
    liked = score.topk(12, dim=1).indices
    who = torch.arange(n_cooks).unsqueeze(1).expand_as(liked)
    return torch.stack([who.reshape(-1), liked.reshape(-1)], dim=1)


def build_adjacency(pairs, n_cooks, n_dishes):
    n = n_cooks + n_dishes
    a = torch.zeros(n, n)
    c, d = pairs[:, 0], pairs[:, 1] + n_cooks
    a[c, d] = 1.0
    a[d, c] = 1.0
    inv = a.sum(1).clamp(min=1).rsqrt()
    return inv.unsqueeze(1) * a * inv.unsqueeze(0)


def triplets(pairs, n_dishes, batch, rng):
    order = torch.randperm(len(pairs), generator=rng)
    for idx in order.split(batch):
        picked = pairs[idx]
        other = torch.randint(0, n_dishes, (len(idx),), generator=rng)
        yield picked[:, 0], picked[:, 1], other
