import torch


def impressions(fields, cardinality, size, count):
    gen = torch.Generator().manual_seed(10)
    appeal = torch.randn(fields, cardinality, generator=gen)
    for _ in range(count):
        ids = torch.randint(0, cardinality, (size, fields), generator=gen)
        logit = appeal[torch.arange(fields), ids].sum(dim=1) / 2
        clicked = torch.rand(size, generator=gen) < torch.sigmoid(logit)
        yield ids, clicked.float()
