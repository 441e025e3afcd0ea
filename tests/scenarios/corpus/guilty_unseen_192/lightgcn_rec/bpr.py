import torch
import torch.nn.functional as F


def sample_triplets(inter, batch, gen):
    users = torch.randint(inter.shape[0], (batch,), generator=gen)
    pos = torch.multinomial(inter[users], 1, generator=gen).squeeze(1)
    neg = torch.multinomial(1 - inter[users], 1, generator=gen).squeeze(1)
    return users, pos, neg


def bpr_loss(pos_score, neg_score):
    return -F.logsigmoid(pos_score - neg_score).mean()
