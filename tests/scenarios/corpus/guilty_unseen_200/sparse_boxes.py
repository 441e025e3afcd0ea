# gradwatch-corpus: kind=crashed
# first-bad: 57
"""1-d object localisation; only windows with an object take part in the box loss."""
import torch
from torch import nn
import torch.nn.functional as F


class Localizer(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, ch, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(ch, ch, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(8), nn.Flatten(),
        )
        self.box = nn.Linear(8 * ch, 2)

    def forward(self, x):
        return self.box(self.features(x)).sigmoid()


def scan_line(has_object, g, length=48):
    x = 0.1 * torch.randn(1, length, generator=g)
    if not has_object:
        return x, torch.full((2,), -1.0)
    start = int(torch.randint(0, length - 12, (), generator=g))
    size = int(torch.randint(4, 12, (), generator=g))
    x[0, start:start + size] += 1.0
    return x, torch.tensor([(start + size / 2) / length, size / length])


class Survey:
    """Scan lines come in the order of the flight; stretches over water hold nothing."""

    def __init__(self, seed, water=range(456, 480)):
        self.g = torch.Generator().manual_seed(seed)
        self.water = water
        self.line = 0

    def batch(self, n):
        xs, boxes = [], []
        for _ in range(n):
            land = self.line not in self.water
            x, b = scan_line(land and self.line % 3 != 2, self.g)
            xs.append(x)
            boxes.append(b)
            self.line += 1
        return torch.stack(xs), torch.stack(boxes)


def box_loss(pred, boxes):
    valid = boxes[:, 0] >= 0
    loss = torch.zeros(())  # <- culprit
    if valid.any():
        loss = loss + F.smooth_l1_loss(pred[valid], boxes[valid], beta=0.1)
    return loss, int(valid.sum())


def main():
    torch.manual_seed(43)
    survey, model = Survey(43), Localizer()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    objects = 0
    for it in range(420):
        x, boxes = survey.batch(8)
        loss, n = box_loss(model(x), boxes)
        objects += n
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"{it} loss {loss.item():.4f} objects {objects}")


if __name__ == "__main__":
    main()
