import torch


def patches(n_classes, batch):
    prototypes = torch.randn(n_classes, 1, 8, 8)
    while True:
        y = torch.randint(0, n_classes, (batch,))
        yield prototypes[y] + 0.8 * torch.randn(batch, 1, 8, 8), y
