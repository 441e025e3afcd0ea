import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset


def simulate(n, gen):
    wind = torch.rand(n, generator=gen) * 22
    density = 1.15 + 0.1 * torch.randn(n, generator=gen)
    yaw = 0.15 * torch.randn(n, generator=gen)
    turb = torch.rand(n, generator=gen) * 0.3
    ratio = (wind * yaw.cos()).clamp(3, 12)
    power = 0.5 * density * (ratio / 12) ** 3
    power = power * (wind > 3) + 0.02 * torch.randn(n, generator=gen)
    x = torch.stack([wind / 22, density, yaw, turb], 1)
    return x, power.unsqueeze(1)


class ScadaDataModule(L.LightningDataModule):
    n_features = 4

    def __init__(self, n_train, n_val, batch_size):
        super().__init__()
        self.n_train, self.n_val, self.batch_size = n_train, n_val, batch_size

    def setup(self, stage=None):
        gen = torch.Generator().manual_seed(3)
        self.train_set = TensorDataset(*simulate(self.n_train, gen))
        self.val_set = TensorDataset(*simulate(self.n_val, gen))

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.batch_size)
