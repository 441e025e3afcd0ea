import torch


def build(entities=150, relations=6, n=3000, seed=4):
    g = torch.Generator().manual_seed(seed)
    h = torch.randint(0, entities, (n,), generator=g)
    r = torch.randint(0, relations, (n,), generator=g)
    t = (h + 7 * r + torch.randint(0, 3, (n,), generator=g)) % entities
    return torch.stack([h, r, t], 1), g


def corrupt(triples, entities, g):
    bad = triples.clone()
    bad[:, 2] = torch.randint(0, entities, (len(bad),), generator=g)
    return bad
