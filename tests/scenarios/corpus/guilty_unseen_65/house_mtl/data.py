import torch
from torch.utils.data import Dataset


class ListingDataset(Dataset):
    n_features = 12

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        gw = torch.Generator().manual_seed(99)
        self.x = torch.randn(n, self.n_features, generator=g)
        w = torch.randn(self.n_features, 3, generator=gw)
        z = self.x @ w / self.n_features ** 0.5 + 0.1 * torch.randn(n, 3, generator=g)
        self.price = z[:, 0] + 0.3 * z[:, 1].sin()
        self.days = 3 * z[:, 1].abs()
        self.grade = torch.bucketize(z[:, 2].contiguous(), torch.tensor([-0.7, 0.0, 0.7]))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {"price": self.price[i], "days": self.days[i], "grade": self.grade[i]}
