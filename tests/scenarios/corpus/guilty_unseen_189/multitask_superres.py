# gradwatch-corpus: kind=graph-chain
# holder: self.level | balance.level | weigher.level
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F


class ESPCN(nn.Module):
    """Sub-pixel upscaler with a second head that predicts the edge map."""

    def __init__(self, upscale=2, width=12):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 5, padding=2)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        self.to_pixels = nn.Conv2d(width, upscale ** 2, 3, padding=1)
        self.to_edges = nn.Conv2d(width, upscale ** 2, 3, padding=1)
        self.shuffle = nn.PixelShuffle(upscale)
        for m in (self.conv1, self.conv2):
            nn.init.orthogonal_(m.weight, nn.init.calculate_gain("relu"))

    def forward(self, x):
        h = F.relu(self.conv2(F.relu(self.conv1(x))))
        return self.shuffle(self.to_pixels(h)), self.shuffle(self.to_edges(h))


class TaskBalance(nn.Module):
    """Homoscedastic-uncertainty weights, smoothed over the last iterations."""

    def __init__(self, tasks, smoothing=0.9):
        super().__init__()
        self.log_vars = nn.Parameter(torch.zeros(tasks))
        self.smoothing = smoothing
        self.level = torch.zeros(tasks)

    def forward(self, losses):
        self.level = torch.lerp(self.log_vars, self.level, self.smoothing)  # <- culprit
        weights = torch.exp(-self.level)
        return (weights * torch.stack(losses)).sum() + self.level.sum()

    def report(self):
        return torch.exp(-self.level).tolist()


def blobs(n, size, gen):
    """Smooth random images made of a few Gaussians."""
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    img = torch.zeros(n, 1, size, size)
    for _ in range(3):
        c = torch.rand(n, 2, 1, 1, generator=gen) * 2 - 1
        s = 0.05 + 0.2 * torch.rand(n, 1, 1, generator=gen)
        img[:, 0] += torch.exp(-((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) / s)
    return img


def edges(img):
    gx = F.pad(img[..., :, 1:] - img[..., :, :-1], (0, 1, 0, 0))
    gy = F.pad(img[..., 1:, :] - img[..., :-1, :], (0, 0, 0, 1))
    return (gx ** 2 + gy ** 2).sqrt()


def psnr(a, b):
    return (10 * torch.log10(1 / F.mse_loss(a, b))).item()


def main(iterations=440, batch=4):
    torch.manual_seed(123)
    gen = torch.Generator().manual_seed(21)
    model, balance = ESPCN(), TaskBalance(2)
    optimizer = torch.optim.Adam([
        {"params": model.parameters(), "lr": 2e-3},
        {"params": balance.parameters(), "lr": 1e-3},
    ])
    for it in range(iterations):
        target = blobs(batch, 16, gen)
        small = F.avg_pool2d(target, 2)
        sr, edge = model(small)
        losses = [F.mse_loss(sr, target), F.l1_loss(edge, edges(target))]
        loss = balance(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 100 == 0:
            w = ", ".join(f"{v:.3f}" for v in balance.report())
            print(f"===> it {it} loss {loss.item():.4f} psnr {psnr(sr.detach(), target):.2f} dB weights [{w}]")


if __name__ == "__main__":
    main()
