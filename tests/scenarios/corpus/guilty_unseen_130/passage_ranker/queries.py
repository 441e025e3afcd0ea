import torch


def sample_lists(b=6, n=7):
    query = torch.randint(0, 60, (b, 4))
    docs = torch.randint(0, 60, (b, n, 9))
    shared = (docs[:, :, :, None] == query[:, None, None]).any(-1).sum(-1)
    return query, docs, shared.float().clamp(max=3)
