# gradwatch-corpus: kind=inplace-modified
# holder: out
# first-bad: 40
import argparse
from math import log10

import torch
import torch.nn as nn
import torch.nn.init as init
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class SRDataset(Dataset):
    def __init__(self, n, upscale, size=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        coarse = torch.rand(n, 1, 3, 3, generator=g)
        self.target = nn.functional.interpolate(coarse, size * upscale, mode="bilinear", align_corners=False)
        self.input = nn.functional.avg_pool2d(self.target, upscale)

    def __len__(self):
        return len(self.input)

    def __getitem__(self, index):
        return self.input[index], self.target[index]


class Net(nn.Module):
    def __init__(self, upscale_factor, calibrate_after=1):
        super().__init__()
        self.calibrate_after = calibrate_after
        self.epoch = 0
        self.relu = nn.ReLU()
        self.conv1 = nn.Conv2d(1, 16, (5, 5), (1, 1), (2, 2))
        self.conv2 = nn.Conv2d(16, 16, (3, 3), (1, 1), (1, 1))
        self.conv3 = nn.Conv2d(16, upscale_factor ** 2, (3, 3), (1, 1), (1, 1))
        self.pixel_shuffle = nn.PixelShuffle(upscale_factor)
        self._initialize_weights()

    def forward(self, x):
        base = x.mean(dim=(1, 2, 3), keepdim=True)
        x = self.relu(self.conv1(x))
        x = self.relu(self.conv2(x))
        out = torch.sigmoid(self.pixel_shuffle(self.conv3(x)))
        if self.epoch >= self.calibrate_after:
            out = self.calibrate(out, base)
        return out

    def calibrate(self, out, base):
        """Shift each image to the brightness of its input once the net has settled."""
        offset = base - out.mean(dim=(1, 2, 3), keepdim=True).detach()
        out += offset  # <- culprit
        return out

    def _initialize_weights(self):
        init.orthogonal_(self.conv1.weight, init.calculate_gain("relu"))
        init.orthogonal_(self.conv2.weight, init.calculate_gain("relu"))
        init.orthogonal_(self.conv3.weight)


def train(epoch, model, loader, optimizer, criterion):
    epoch_loss = 0
    model.train()
    model.epoch = epoch - 1
    for iteration, (input, target) in enumerate(loader, 1):
        optimizer.zero_grad()
        loss = criterion(model(input), target)
        epoch_loss += loss.item()
        loss.backward()
        optimizer.step()
    print(f"===> Epoch {epoch} Complete: Avg. Loss: {epoch_loss / len(loader):.4f}")


def test(model, loader, criterion):
    avg_psnr = 0
    model.eval()
    with torch.no_grad():
        for input, target in loader:
            avg_psnr += 10 * log10(1 / criterion(model(input), target).item())
    print(f"===> Avg. PSNR: {avg_psnr / len(loader):.4f} dB")


def main():
    parser = argparse.ArgumentParser(description="PyTorch Super Res Example")
    parser.add_argument("--upscale_factor", type=int, default=2)
    parser.add_argument("--batchSize", type=int, default=8)
    parser.add_argument("--nEpochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.005)
    parser.add_argument("--seed", type=int, default=123)
    opt = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(opt.seed)
    train_loader = DataLoader(SRDataset(320, opt.upscale_factor), batch_size=opt.batchSize, shuffle=True)
    test_loader = DataLoader(SRDataset(32, opt.upscale_factor, seed=1), batch_size=16)
    model = Net(opt.upscale_factor)
    criterion = nn.MSELoss()
    optimizer = optim.Adam(model.parameters(), lr=opt.lr)
    for epoch in range(1, opt.nEpochs + 1):
        train(epoch, model, train_loader, optimizer, criterion)
        test(model, test_loader, criterion)


if __name__ == "__main__":
    main()
