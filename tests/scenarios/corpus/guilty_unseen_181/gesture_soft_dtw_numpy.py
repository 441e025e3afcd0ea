# gradwatch-corpus: kind=crashed
# first-bad: 0
import numpy as np
import torch
import torch.nn as nn


def pairwise_cost(pred, target):
    """|pred_i - target_j|^2 for every pair of frames"""
    return ((pred[:, :, None, :] - target[:, None, :, :]) ** 2).sum(-1)


def softmin(a, b, c, gamma):
    stacked = np.stack([a, b, c], axis=0) / -gamma
    m = stacked.max(axis=0)
    return -gamma * (np.log(np.exp(stacked - m).sum(axis=0)) + m)


def soft_dtw(cost, gamma=0.5):
    n, rows, cols = cost.shape
    acc = np.full((n, rows + 1, cols + 1), 1e8)
    acc[:, 0, 0] = 0.0
    for i in range(1, rows + 1):
        for j in range(1, cols + 1):
            best = softmin(acc[:, i - 1, j], acc[:, i, j - 1], acc[:, i - 1, j - 1], gamma)
            acc[:, i, j] = cost[:, i - 1, j - 1] + best
    return acc[:, rows, cols]


class SoftDTWLoss(nn.Module):
    def __init__(self, gamma=0.5):
        super().__init__()
        self.gamma = gamma

    def forward(self, pred, target):
        cost = pairwise_cost(pred, target).detach().cpu().numpy()  # <- culprit
        dist = soft_dtw(cost, self.gamma)
        return torch.from_numpy(dist).float().mean()  # <- culprit


class GestureDecoder(nn.Module):
    """Class id and style vector to a 2-d hand trajectory."""

    def __init__(self, n_classes, frames=10, style=4):
        super().__init__()
        self.frames = frames
        self.embed = nn.Embedding(n_classes, 12)
        self.fc = nn.Linear(12 + style, 32)
        self.gru = nn.GRU(32, 24, batch_first=True)
        self.xy = nn.Linear(24, 2)

    def forward(self, cls, style):
        h = torch.relu(self.fc(torch.cat([self.embed(cls), style], dim=-1)))
        seq, _ = self.gru(h.unsqueeze(1).expand(-1, self.frames, -1).contiguous())
        return self.xy(seq)


def gestures(n, n_classes, frames, rng):
    cls = rng.integers(0, n_classes, size=n)
    style = rng.normal(size=(n, 4)) * 0.3
    t = np.linspace(0, 1, frames)[None] ** (1 + 0.5 * np.abs(style[:, :1]))
    x = np.cos((cls[:, None] + 1) * t * np.pi) + style[:, 1:2]
    y = np.sin((cls[:, None] + 1) * t * np.pi) + style[:, 2:3]
    xy = np.stack([x, y], axis=-1).astype(np.float32)
    return torch.from_numpy(cls), torch.from_numpy(style.astype(np.float32)), torch.from_numpy(xy)


def main():
    torch.manual_seed(14)
    rng = np.random.default_rng(14)
    net = GestureDecoder(n_classes=3)
    criterion = SoftDTWLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    log = []
    for step in range(500):
        cls, style, xy = gestures(16, 3, net.frames, rng)
        pred = net(cls, style)
        loss = criterion(pred, xy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.append(loss.item())
        if step % 50 == 0:
            print("step", step, "soft-dtw", np.mean(log[-50:]))


if __name__ == "__main__":
    main()
