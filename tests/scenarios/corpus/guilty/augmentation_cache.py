# gradwatch-corpus: kind=memory-climb
# holder: self._augmented | dataset._augmented | loader.dataset._augmented
# about: a dataset caches every augmented image by its random parameters
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class AugmentedImages(Dataset):
    def __init__(self, n=64, size=96):
        self.images = torch.rand(n, 3, size, size)
        self._augmented = {}

    def __len__(self):
        return len(self.images)

    def augment(self, i, angle, gain):
        key = (i, angle, gain)
        if key not in self._augmented:
            image = torch.rot90(self.images[i], angle, dims=(1, 2)) * gain
            self._augmented[key] = image  # <- culprit
        return self._augmented[key]

    def __getitem__(self, i):
        angle = int(torch.randint(0, 4, ()))
        gain = 0.5 + torch.rand(()).item()
        return self.augment(i, angle, gain), angle


def main():
    torch.manual_seed(0)
    loader = DataLoader(AugmentedImages(), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Conv2d(3, 4, 5, stride=4), nn.ReLU(), nn.Flatten(), nn.LazyLinear(4))
    model(loader.dataset.images[:1])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(15):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 0:
            print(epoch, loss.item())


if __name__ == "__main__":
    main()
