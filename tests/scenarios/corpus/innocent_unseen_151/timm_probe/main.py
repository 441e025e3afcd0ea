# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from engine import FeatureBank, ModelEmaV2, train_one_epoch, validate


class IndexedImages(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 6, (n,), generator=g)
        self.x = torch.randn(n, 3, 12, 12, generator=g) + 0.4 * self.y.view(-1, 1, 1, 1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return i, self.x[i], self.y[i]


def main(epochs=4):
    torch.set_num_threads(1)
    torch.manual_seed(42)
    backbone = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.SiLU(), nn.Conv2d(12, 24, 3, 2, 1), nn.SiLU(),
                             nn.AdaptiveAvgPool2d(2), nn.Flatten())
    head = nn.Sequential(nn.LayerNorm(96), nn.Linear(96, 6))
    ema = ModelEmaV2(head, decay=0.97)
    bank = FeatureBank(backbone)
    train_set, eval_set = IndexedImages(448, 0), IndexedImages(64, 1)
    loader = DataLoader(train_set, batch_size=16, shuffle=True)
    eval_loader = DataLoader(eval_set, batch_size=32)
    optimizer = torch.optim.AdamW(head.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=epochs * len(loader))
    best = None
    for epoch in range(epochs):
        train = train_one_epoch(epoch, head, bank, loader, optimizer, scheduler, ema)
        top1 = validate(ema.module, backbone, eval_loader)
        best = max(best or 0, top1)
        print(f"*** {epoch} loss {train:.4f} ema top1 {top1:.2f} cached {len(bank.store)}")
    print("best", best)


if __name__ == "__main__":
    main()
