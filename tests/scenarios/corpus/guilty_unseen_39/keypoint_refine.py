# gradwatch-corpus: kind=second-backward
# holder: coarse
# first-bad: 24
"""Two stage keypoint regression: a coarse net, then a net that corrects it."""
import torch
import torch.nn as nn

WARMUP_EPOCHS = 1
EPOCHS = 4
BATCH = 25
N_POINTS = 6

torch.manual_seed(17)


def synth(n):
    """noisy landmarks of a bent rod seen through a random linear camera"""
    bend = torch.randn(n, 1)
    s = torch.linspace(-1, 1, N_POINTS)
    pts = torch.stack([s.expand(n, -1), bend * s ** 2], -1)
    ang = torch.rand(n) * 1.5
    rot = torch.stack([torch.stack([ang.cos(), -ang.sin()], -1),
                       torch.stack([ang.sin(), ang.cos()], -1)], 1)
    pts = pts @ rot
    cam = torch.randn(2 * N_POINTS, 40, generator=torch.Generator().manual_seed(1)) * 0.4
    obs = torch.tanh(pts.flatten(1) @ cam) + 0.1 * torch.randn(n, 40)
    return obs, pts.flatten(1)


class CoarseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 2 * N_POINTS))

    def forward(self, x):
        return self.fc(x)


class RefineNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(40 + 2 * N_POINTS, 64), nn.ReLU(), nn.Linear(64, 2 * N_POINTS))

    def forward(self, x, guess):
        return guess + 0.1 * self.fc(torch.cat([x, guess], dim=1))


def train_coarse(x, y):
    coarse = stage1(x)
    loss = mse(coarse, y)
    opt1.zero_grad()
    loss.backward()
    opt1.step()
    return loss.item(), float("nan")


def train_both(x, y):
    coarse = stage1(x)
    refined = stage2(x, coarse)  # <- culprit
    loss1 = mse(coarse, y)
    loss2 = mse(refined, y)

    opt1.zero_grad()
    opt2.zero_grad()
    loss1.backward()  # <- culprit
    loss2.backward()  # <- culprit
    opt1.step()
    opt2.step()
    return loss1.item(), loss2.item()


stage1, stage2 = CoarseNet(), RefineNet()
mse = nn.MSELoss()
opt1 = torch.optim.Adam(stage1.parameters(), lr=2e-3)
opt2 = torch.optim.Adam(stage2.parameters(), lr=1e-3)

obs, target = synth(600)
for epoch in range(EPOCHS):
    step_fn = train_coarse if epoch < WARMUP_EPOCHS else train_both
    perm = torch.randperm(len(obs))
    s1 = s2 = 0.0
    for b in range(0, len(obs), BATCH):
        i = perm[b:b + BATCH]
        a, c = step_fn(obs[i], target[i])
        s1 += a
        s2 += c
    n = len(obs) // BATCH
    print("epoch {} ({}): coarse {:.4f} refined {:.4f}".format(epoch, step_fn.__name__, s1 / n, s2 / n))
