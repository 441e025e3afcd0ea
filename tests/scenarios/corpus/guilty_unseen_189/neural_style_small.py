# gradwatch-corpus: kind=retain-needless
# first-bad: 0
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Features = namedtuple("Features", ["low", "high"])


class LossNet(nn.Module):
    """Fixed random filters standing in for VGG."""

    def __init__(self):
        super().__init__()
        self.low = nn.Conv2d(3, 8, 3, padding=1)
        self.high = nn.Conv2d(8, 12, 3, stride=2, padding=1)
        self.requires_grad_(False)

    def forward(self, x):
        low = F.relu(self.low(x))
        return Features(low, F.relu(self.high(low)))


class ConvLayer(nn.Module):
    def __init__(self, cin, cout, k):
        super().__init__()
        self.pad = nn.ReflectionPad2d(k // 2)
        self.conv = nn.Conv2d(cin, cout, k)

    def forward(self, x):
        return self.conv(self.pad(x))


class TransformerNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.conv1, self.in1 = ConvLayer(3, width, 3), nn.InstanceNorm2d(width, affine=True)
        self.conv2, self.in2 = ConvLayer(width, width, 3), nn.InstanceNorm2d(width, affine=True)
        self.out = ConvLayer(width, 3, 3)

    def forward(self, x):
        y = F.relu(self.in1(self.conv1(x)))
        y = y + F.relu(self.in2(self.conv2(y)))
        return self.out(y)


def gram_matrix(y):
    b, ch, h, w = y.shape
    f = y.view(b, ch, h * w)
    return f.bmm(f.transpose(1, 2)) / (ch * h * w)


def stripes(size):
    t = torch.arange(size).float()
    wave = torch.sin(t.view(-1, 1) * 1.3 + t)
    return torch.stack([wave, -wave, wave.roll(2, 0)]).unsqueeze(0)


def photos(n, size, gen):
    coarse = torch.randn(n, 3, 4, 4, generator=gen)
    return F.interpolate(coarse, size=(size, size), mode="bilinear", align_corners=False)


def train(steps=420, batch=2, size=12, content_weight=1.0, style_weight=50.0):
    torch.manual_seed(42)
    gen = torch.Generator().manual_seed(6)
    transformer, vgg = TransformerNet(), LossNet()
    optimizer = torch.optim.Adam(transformer.parameters(), 1e-3)
    gram_style = [gram_matrix(f) for f in vgg(stripes(size))]
    agg_content = agg_style = 0.0
    for batch_id in range(steps):
        x = photos(batch, size, gen)
        optimizer.zero_grad()
        y = transformer(x)
        features_y, features_x = vgg(y), vgg(x)
        content_loss = content_weight * F.mse_loss(features_y.high, features_x.high)
        style_loss = 0.0
        for ft_y, gm_s in zip(features_y, gram_style):
            style_loss = style_loss + F.mse_loss(gram_matrix(ft_y), gm_s.expand(batch, -1, -1))
        style_loss = style_weight * style_loss
        total_loss = content_loss + style_loss
        total_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        agg_content += content_loss.item()
        agg_style += style_loss.item()
        if (batch_id + 1) % 100 == 0:
            print(f"[{batch_id + 1}/{steps}] content {agg_content / (batch_id + 1):.5f} "
                  f"style {agg_style / (batch_id + 1):.5f}")
    return transformer


if __name__ == "__main__":
    train()
