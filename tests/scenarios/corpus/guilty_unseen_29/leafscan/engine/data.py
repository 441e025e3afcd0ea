import torch
from torch.utils.data import DataLoader, Dataset


class Leaves(Dataset):
    """Grey patches with one bright vein whose direction is the class."""

    def __init__(self, n, size, classes):
        self.n, self.size, self.classes = n, size, classes

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        label = i % self.classes
        g = torch.Generator().manual_seed(i)
        img = 0.3 * torch.randn(1, self.size, self.size, generator=g)
        mid = self.size // 2
        if label == 0:
            img[0, mid, :] += 1
        elif label == 1:
            img[0, :, mid] += 1
        elif label == 2:
            img[0].diagonal().add_(1)
        else:
            img[0].flip(0).diagonal().add_(1)
        return img, label


def make_loader(n, size, batch_size, classes):
    return DataLoader(Leaves(n, size, classes), batch_size=batch_size, shuffle=True, drop_last=True)
