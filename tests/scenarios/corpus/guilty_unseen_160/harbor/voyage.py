import torch


def voyages(count, batch=96, feats=20):
    weight = torch.randn(feats) / 4
    for _ in range(count):
        x = torch.randn(batch, feats)
        calm = torch.sigmoid(x[:, 0])
        hours = x @ weight + (0.1 + 0.5 * calm) * torch.randn(batch)
        yield x, hours
