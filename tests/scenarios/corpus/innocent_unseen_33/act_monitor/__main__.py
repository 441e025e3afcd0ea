# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from .monitor import ActivationMonitor


def conv_net():
    return nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 12, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Linear(48, 4),
    )


def glyphs(batch, size=12):
    y = torch.randint(0, 4, (batch,))
    img = 0.3 * torch.randn(batch, 1, size, size)
    for i, c in enumerate(y.tolist()):
        r, s = divmod(c, 2)
        lo_r, lo_c = r * size // 2, s * size // 2
        img[i, 0, lo_r + 1:lo_r + 4, lo_c + 1:lo_c + 4] += 1.0
    return img, y


def main():
    torch.manual_seed(0)
    net = conv_net()
    monitor = ActivationMonitor(decay=0.95).attach(net, kinds=(nn.ReLU, nn.Linear))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for it in range(120):
        x, y = glyphs(24)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 0:
            print(f"it {it:3d} loss {loss.item():.3f}  {monitor.line()}")
    monitor.close()


if __name__ == "__main__":
    main()
