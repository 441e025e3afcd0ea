# gradwatch-corpus: kind=graph-chain
# holder: prev | self.prev | loss_fn.prev | self.smooth.prev | self.filtered | smoother.filtered
# about: a smoothness penalty against a filtered history of predictions that was never detached
import torch
from torch import nn


class Smoothness(nn.Module):
    """Penalises jumps of the prediction against its own exponential history."""

    def __init__(self, alpha=0.7):
        super().__init__()
        self.alpha = alpha
        self.filtered = None

    def forward(self, pred):
        if self.filtered is None:
            self.filtered = pred.detach()
        penalty = (pred - self.filtered).abs().mean()
        self.filtered = torch.lerp(pred, self.filtered, self.alpha)  # <- culprit
        return penalty


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, frame):
        return self.net(frame)


def frames(n=60):
    t = torch.linspace(0, 6, n)
    for k in range(n):
        yield torch.stack([torch.sin(t[k] + 0.1 * j) for j in range(6)]).repeat(4, 1)


def main():
    torch.manual_seed(0)
    tracker, smoother = Tracker(), Smoothness()
    for k, frame in enumerate(frames()):
        pred = tracker(frame)
        loss = (pred - frame[:, :3]).pow(2).mean() + 0.1 * smoother(pred)
        loss.backward(retain_graph=True)
        with torch.no_grad():
            for p in tracker.parameters():
                p.data = p.data - 0.02 * p.grad
                p.grad = None
    print("last loss", loss.item())


if __name__ == "__main__":
    main()
