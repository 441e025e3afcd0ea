# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | self.weighting.smoothed | module.weighting.smoothed
# first-bad: 1
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from .core import Trainer
from .module import DenseTasks


class ToyScenes(Dataset):
    def __init__(self, n=96, size=10):
        self.x = torch.rand(n, 3, size, size)
        self.depth = self.x.mean(1)
        self.seg = (self.depth * 4).long().clamp(0, 3)
        self.normal = F.normalize(self.x - 0.5, dim=1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.seg[i], self.depth[i], self.normal[i]


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    Trainer(max_steps=100).fit(DenseTasks(), DataLoader(ToyScenes(), batch_size=8, shuffle=True))
