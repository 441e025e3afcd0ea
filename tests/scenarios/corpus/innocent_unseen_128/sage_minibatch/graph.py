import torch


def random_graph(n, d, classes):
    labels = torch.randint(0, classes, (n,))
    feats = torch.randn(n, d) + labels[:, None]
    nbrs = {}
    for v in range(n):
        same = (labels == labels[v]).float() * 4 + 1
        nbrs[v] = torch.multinomial(same, 3).tolist()
    return feats, nbrs, labels
