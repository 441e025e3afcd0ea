import torch.nn.functional as F


def bpr(pos, neg):
    return -F.logsigmoid(pos - neg).mean()


def l2_of(tensors):
    return sum(t.pow(2).sum() for t in tensors) / len(tensors)
