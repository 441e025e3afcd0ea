# gradwatch-corpus: kind=none
"""Defect detection: the losses of the last batches stay around to set the threshold
of hard examples. How many are kept follows how unsettled the loss is."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)


class AdaptiveBuffer:
    LOW, HIGH = 4, 32

    def __init__(self):
        self.items = []
        self.size = self.LOW

    def push(self, losses):
        self.items.append(losses)
        spread = self.spread()
        if spread > 0.4:
            self.size = min(self.size + 2, self.HIGH)
        elif spread < 0.35:
            self.size = max(self.size - 1, self.LOW)
        while len(self.items) > self.size:
            self.items.pop(0)

    def spread(self):
        means = torch.stack([x.mean() for x in self.items])
        if len(means) < 2:
            return 1.0
        return (means.std() / means.mean()).item()

    def threshold(self, q):
        return torch.cat(self.items).quantile(q).item()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 12, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        )
        self.out = nn.Linear(48, 3)

    def forward(self, x):
        return self.out(self.body(x).flatten(1))


def batch(n, noise):
    img = noise * torch.randn(n, 1, 12, 12)
    cls = torch.randint(0, 3, (n,))
    pos = torch.randint(1, 8, (n, 2))
    for i, (c, (r, k)) in enumerate(zip(cls.tolist(), pos.tolist())):
        if c == 1:
            img[i, 0, r:r + 3, k:k + 3] += 1.5
        elif c == 2:
            img[i, 0, r, :] += 1.2
    return img, cls


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
buf = AdaptiveBuffer()
sizes = []
for it in range(360):
    x, y = batch(16, noise=0.4 + 0.6 * (120 <= it < 200))
    per_example = F.cross_entropy(net(x), y, reduction="none")
    buf.push(per_example)
    hard = per_example.detach() >= buf.threshold(0.6)
    weight = torch.where(hard, 1.0, 0.3)
    loss = (weight * per_example).sum() / weight.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sizes.append(len(buf.items))
    if it % 60 == 59:
        print(f"{it + 1:4d} loss {loss.item():.3f} hard {hard.float().mean().item():.2f} "
              f"buffer {min(sizes[-60:])}..{max(sizes[-60:])}")
