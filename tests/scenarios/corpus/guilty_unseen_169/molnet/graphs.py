import torch


def molecules(batch, atoms, d):
    while True:
        feat = torch.randn(batch, atoms, d)
        upper = (torch.rand(batch, atoms, atoms) < 0.35).float().triu(1)
        adj = upper + upper.transpose(1, 2)
        target = (adj @ feat[..., :1]).mean((1, 2)) + feat[..., 1].pow(2).mean(1)
        yield feat, adj, target
