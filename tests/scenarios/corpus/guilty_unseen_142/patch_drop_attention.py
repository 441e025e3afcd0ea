# gradwatch-corpus: kind=inplace-modified
# holder: weights
# first-bad: 80
# notice: 0
"""Set-of-patches classifier; from the second phase on, tokens are dropped from the attention map."""
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class DropSchedule:
    def __init__(self, start, top, ramp):
        self.start, self.top, self.ramp, self.it = start, top, ramp, 0

    def tick(self):
        self.it += 1

    @property
    def rate(self):
        if self.it < self.start:
            return 0.0
        return min(self.top, 0.05 + self.top * (self.it - self.start) / self.ramp)


class PatchAttention(nn.Module):
    def __init__(self, dim, heads, schedule):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.heads, self.schedule = heads, schedule

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = F.softmax(q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5, -1)
        rate = self.schedule.rate
        if self.training and rate > 0:
            keep = (torch.rand(b, 1, 1, n) > rate).to(weights.dtype)
            weights *= keep  # <- culprit
        return self.proj((weights @ v).transpose(1, 2).reshape(b, n, d))


class PatchNet(nn.Module):
    def __init__(self, schedule, dim=12, classes=4):
        super().__init__()
        self.embed = nn.Linear(16, dim)
        self.pos = nn.Parameter(torch.randn(9, dim) * 0.02)
        self.norm = nn.LayerNorm(dim)
        self.attn = PatchAttention(dim, 2, schedule)
        self.head = nn.Linear(dim, classes)

    def forward(self, img):
        p = img.unfold(1, 4, 4).unfold(2, 4, 4).reshape(img.size(0), 9, 16)
        z = self.embed(p) + self.pos
        return self.head((z + self.attn(self.norm(z))).mean(1))


def quadrants(n):
    y = torch.randint(0, 4, (n,))
    img = torch.randn(n, 12, 12) * 0.2
    for i, c in enumerate(y.tolist()):
        img[i, 6 * (c // 2):6 * (c // 2) + 6, 6 * (c % 2):6 * (c % 2) + 6] += 1
    return img, y


torch.manual_seed(12)
schedule = DropSchedule(start=80, top=0.4, ramp=100)
net = PatchNet(schedule)
opt = torch.optim.AdamW(net.parameters(), 3e-3)
for it in range(400):
    img, y = quadrants(12)
    loss = F.cross_entropy(net(img), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.tick()
    if it % 20 == 0:
        print(it, loss.item())
