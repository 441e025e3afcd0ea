"""Synthetic surface images: clean, scratched (a line), pitted (dots); some labels are wrong."""
import torch


def make_images(n, size=16, wrong=0.05):
    images = 0.3 * torch.randn(n, 1, size, size)
    labels = torch.randint(0, 3, (n,))
    for i, label in enumerate(labels.tolist()):
        if label == 1:
            images[i, 0, torch.randint(0, size, (1,)).item()] += 1.2
        elif label == 2:
            spots = torch.randint(0, size, (6, 2))
            images[i, 0, spots[:, 0], spots[:, 1]] += 2.0
    flip = torch.rand(n) < wrong
    labels[flip] = torch.randint(0, 3, (int(flip.sum()),))
    return images, labels


def batches(n, size):
    return torch.randperm(n).split(size)
