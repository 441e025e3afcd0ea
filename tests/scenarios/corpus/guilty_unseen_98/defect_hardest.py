# gradwatch-corpus: kind=graph-held
# holder: hardest | self.hardest | miner.hardest
# first-bad: 1
# notice: 8
# Casting defects, small conv net. We want a list of the worst images of the run so
# that the people in quality control can look at them again.
import heapq

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)


class CastingImages(torch.utils.data.Dataset):
    """16x16 grey images; defect = a dark scratch."""

    def __init__(self, n=400):
        g = torch.Generator().manual_seed(5)
        self.img = 0.6 + 0.1 * torch.randn(n, 1, 16, 16, generator=g)
        self.label = (torch.rand(n, generator=g) < 0.4).long()
        for i in range(n):
            if self.label[i] == 1:
                r = int(torch.randint(2, 14, (1,), generator=g))
                self.img[i, 0, r, 3:12] -= 0.35

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.img[i], self.label[i], i


class HardMiner:
    def __init__(self):
        self.hardest = []

    def look(self, losses, idx, step):
        """remember the worst image of this batch"""
        worst = losses.argmax()
        # negative: heapq is a min-heap
        entry = (-losses[worst], step, int(idx[worst]))  # <- culprit
        heapq.heappush(self.hardest, entry)  # <- culprit

    def report(self, k=5):
        lines = []
        for neg, step, i in heapq.nsmallest(k, self.hardest):
            lines.append("image %03d  loss %.3f  (step %d)" % (i, -float(neg), step))
        return "\n".join(lines)


def make_net():
    return nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Linear(32, 2),
    )


data = CastingImages()
loader = torch.utils.data.DataLoader(data, batch_size=20, shuffle=True)
net = make_net()
optim = torch.optim.AdamW(net.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.StepLR(optim, step_size=5, gamma=0.7)
miner = HardMiner()

step = 0
for epoch in range(12):
    total, right = 0.0, 0
    for img, label, idx in loader:
        logits = net(img)
        losses = F.cross_entropy(logits, label, reduction="none")
        miner.look(losses, idx, step)  # <- culprit
        loss = losses.mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        total += loss.item() * len(label)
        right += (logits.argmax(1) == label).sum().item()
        step += 1
    sched.step()
    print("epoch %2d  loss %.4f  acc %.3f" % (epoch, total / len(data), right / len(data)))

print(miner.report())
