# gradwatch-corpus: kind=graph-held
# holder: self.features | vgg.features
# first-bad: 1
import argparse
import time

import torch
import torch.nn as nn
from torch.optim import Adam
from torch.utils.data import DataLoader, Dataset


class ConvLayer(nn.Module):
    def __init__(self, i, o, k, s=1):
        super().__init__()
        self.pad = nn.ReflectionPad2d(k // 2)
        self.conv2d = nn.Conv2d(i, o, k, s)

    def forward(self, x):
        return self.conv2d(self.pad(x))


class ResidualBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1, self.in1 = ConvLayer(c, c, 3), nn.InstanceNorm2d(c, affine=True)
        self.conv2, self.in2 = ConvLayer(c, c, 3), nn.InstanceNorm2d(c, affine=True)

    def forward(self, x):
        out = torch.relu(self.in1(self.conv1(x)))
        return self.in2(self.conv2(out)) + x


class TransformerNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(ConvLayer(3, 8, 5), nn.InstanceNorm2d(8, affine=True), nn.ReLU(), ConvLayer(8, 12, 3, 2),
                                 nn.ReLU(), ResidualBlock(12), nn.Upsample(scale_factor=2), ConvLayer(12, 3, 5))

    def forward(self, x):
        return self.net(x)


class PerceptualNet(nn.Module):
    """A VGG-like trunk whose chosen activations are collected with forward hooks."""

    def __init__(self, taps=(1, 3, 6)):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
                                   nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU())
        for p in self.parameters():
            p.requires_grad = False
        self.taps = taps
        self.features = []
        for t in taps:
            self.trunk[t].register_forward_hook(self._save)

    def _save(self, module, inputs, output):
        self.features.append(output)  # <- culprit

    def forward(self, x):
        self.trunk(x)
        return self.features[-len(self.taps):]  # <- culprit


class RandomScenes(Dataset):
    def __init__(self, n, size):
        self.imgs = torch.rand(n, 3, size, size)

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, i):
        return self.imgs[i]


def gram_matrix(y):
    b, ch, h, w = y.size()
    f = y.view(b, ch, w * h)
    return f.bmm(f.transpose(1, 2)) / (ch * h * w)


def train(args):
    torch.manual_seed(args.seed)
    loader = DataLoader(RandomScenes(160, args.image_size), batch_size=args.batch_size, shuffle=True)
    transformer, vgg = TransformerNet(), PerceptualNet()
    optimizer, mse_loss = Adam(transformer.parameters(), args.lr), nn.MSELoss()
    style = torch.rand(1, 3, args.image_size, args.image_size).repeat(args.batch_size, 1, 1, 1)
    with torch.no_grad():
        gram_style = [gram_matrix(f) for f in vgg(style)]
    for e in range(args.epochs):
        transformer.train()
        agg_content_loss = agg_style_loss = 0.0
        for batch_id, x in enumerate(loader):
            optimizer.zero_grad()
            y = transformer(x)
            features_y, features_x = vgg(y), vgg(x)
            content_loss = args.content_weight * mse_loss(features_y[1], features_x[1])
            style_loss = args.style_weight * sum(mse_loss(gram_matrix(f), g) for f, g in zip(features_y, gram_style))
            total_loss = content_loss + style_loss
            total_loss.backward()
            optimizer.step()
            agg_content_loss += content_loss.item()
            agg_style_loss += style_loss.item()
            if (batch_id + 1) % args.log_interval == 0:
                print(f"{time.ctime()}\tEpoch {e + 1}:\t[{batch_id + 1}/{len(loader)}]\tcontent: "
                      f"{agg_content_loss / (batch_id + 1):.5f}\tstyle: {agg_style_loss / (batch_id + 1):.5f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--image-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--content-weight", type=float, default=1.0)
    p.add_argument("--style-weight", type=float, default=50.0)
    p.add_argument("--log-interval", type=int, default=20)
    p.add_argument("--seed", type=int, default=42)
    train(p.parse_args())
