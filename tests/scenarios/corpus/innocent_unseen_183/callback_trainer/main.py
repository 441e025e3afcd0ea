# gradwatch-corpus: kind=none
"""Speaker embedding by triplets."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from callbacks import LossCurve, MarginStats
from trainer import Trainer, triplet


class Triplets(Dataset):
    def __init__(self, n, speakers=12, dim=20, seed=0):
        gen = torch.Generator().manual_seed(seed)
        voice = torch.randn(speakers, dim, generator=gen)
        who = torch.randint(speakers, (n,), generator=gen)
        other = (who + torch.randint(1, speakers, (n,), generator=gen)) % speakers
        noise = 1.5 * torch.randn(3, n, dim, generator=gen)
        self.a, self.p, self.n = voice[who] + noise[0], voice[who] + noise[1], voice[other] + noise[2]

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i], self.p[i], self.n[i]


def main():
    torch.manual_seed(9)
    model = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 8))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    loader = DataLoader(Triplets(1120), batch_size=16, shuffle=True)
    Trainer(model, opt, triplet, [LossCurve(), MarginStats()]).fit(loader, epochs=6)


if __name__ == "__main__":
    main()
