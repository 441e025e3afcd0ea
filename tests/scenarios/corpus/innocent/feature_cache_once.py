# gradwatch-corpus: kind=none
# about: a frozen backbone's features are computed once under no_grad and cached by sample;
# about: memory climbs while the cache fills during the first epochs, then stays
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS
from torch.utils.data import DataLoader, Dataset


class CachedFeatures(Dataset):
    def __init__(self, x, y, backbone):
        self.x, self.y, self.backbone = x, y, backbone.eval()
        self.cache = {}

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        if i not in self.cache:
            with torch.no_grad():
                self.cache[i] = self.backbone(self.x[i : i + 1])[0]
        return self.cache[i], self.y[i]


def main():
    torch.manual_seed(0)
    x, y = classes(800)
    backbone = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, 256))
    dataset = CachedFeatures(x, y, backbone)
    loader = DataLoader(dataset, batch_size=16, shuffle=True)
    head = nn.Linear(256, 4)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    step = 0
    while step < ITERATIONS:
        for features, labels in loader:
            loss = nn.functional.cross_entropy(head(features), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step % 50 == 0:
                print(f"{step}: {loss.item():.6f}, cached {len(dataset.cache)}")


if __name__ == "__main__":
    main()
