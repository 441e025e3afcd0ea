import torch


def email_network(n):
    roles = torch.arange(n) % 3
    same = roles.unsqueeze(0) == roles.unsqueeze(1)
    a = (torch.rand(n, n) < torch.where(same, 0.3, 0.05)).float()
    a = torch.maximum(a, a.T).fill_diagonal_(1.0)
    feats = torch.randn(n, 5) + roles.unsqueeze(1) * 0.4
    return a, feats, roles
