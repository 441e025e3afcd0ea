import torch
from geometry import to_sphere


def prototypes(n, d):
    return to_sphere(torch.randn(n, d))


def margin_logits(emb, bank, who, m=0.2, s=10.0):
    cos = emb @ bank.T
    hot = torch.nn.functional.one_hot(who, bank.shape[0]).float()
    return s * (cos - m * hot)
