import torch


def citation_graph(n, classes, dims):
    labels = torch.arange(n) % classes
    same = labels[:, None] == labels[None, :]
    prob = torch.where(same, torch.tensor(0.06), torch.tensor(0.008))
    upper = torch.triu((torch.rand(n, n) < prob).float(), 1)
    adj = upper + upper.t()
    topics = torch.randn(classes, dims)
    feats = 0.6 * topics[labels] + torch.randn(n, dims)
    order = torch.randperm(n)
    train_mask = torch.zeros(n, dtype=torch.bool)
    val_mask = torch.zeros(n, dtype=torch.bool)
    train_mask[order[:40]] = True
    val_mask[order[40:140]] = True
    return adj, feats, labels, train_mask, val_mask
