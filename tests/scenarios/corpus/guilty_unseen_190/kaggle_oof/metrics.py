import torch


def auc(y_true, y_score):
    order = torch.argsort(y_score)
    ranks = torch.empty(len(order))
    ranks[order] = torch.arange(1, len(order) + 1).float()
    pos = y_true == 1
    n_pos, n_neg = pos.sum(), (~pos).sum()
    return ((ranks[pos].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)).item()
