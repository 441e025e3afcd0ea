# gradwatch-corpus: kind=graph-held
# holder: worst | rank_cases.__defaults__ | rank_cases
# first-bad: 31
# notice: 15
"""Liver lesion segmentation, small U-Net on phantom slices. After the warm-up we write down
which cases the network finds hardest, to show them to the radiologist afterwards."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(99)

SIZE = 32
ITERATIONS = 240
WARMUP = 30


def phantom(batch):
    """body ellipse, liver blob, 1 lesion; returns image, lesion mask, case ids"""
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, SIZE), torch.linspace(-1, 1, SIZE), indexing="ij")
    body = ((xx / 0.9) ** 2 + (yy / 0.75) ** 2 < 1).float()
    images, masks = [], []
    for _ in range(batch):
        cx, cy = (torch.rand(2) - 0.5).tolist()
        r = 0.12 + 0.2 * torch.rand(()).item()
        liver = ((xx - cx) ** 2 + (yy - cy) ** 2 < 0.3).float() * body
        lesion = ((xx - cx) ** 2 + (yy - cy) ** 2 < r * r).float() * body
        images.append(0.3 * body + 0.4 * liver - 0.25 * lesion + 0.08 * torch.randn(SIZE, SIZE))
        masks.append(lesion)
    ids = ["P%05d" % i for i in torch.randint(100000, (batch,)).tolist()]
    return torch.stack(images)[:, None], torch.stack(masks)[:, None], ids


def block(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(2, o), nn.ReLU(),
        nn.Conv2d(o, o, 3, padding=1), nn.ReLU(),
    )


class UNet(nn.Module):
    def __init__(self, w=4):
        super().__init__()
        self.d1, self.d2 = block(1, w), block(w, 2 * w)
        self.mid = block(2 * w, 2 * w)
        self.u2, self.u1 = block(4 * w, w), block(2 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        y = self.u2(torch.cat([F.interpolate(m, scale_factor=2), b], 1))
        y = self.u1(torch.cat([F.interpolate(y, scale_factor=2), a], 1))
        return self.out(y)


def soft_dice(logits, target):
    p = logits.sigmoid().flatten(1)
    t = target.flatten(1)
    return (2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)


def rank_cases(ids, dice, iteration, worst={}):
    """remember the worst case of the batch, with its dice; returns everything noted so far"""
    i = int(dice.argmin())
    worst[ids[i], iteration] = dice[i]  # <- culprit
    return worst


def train_one(model, opt, it):
    x, y, ids = phantom(4)
    opt.zero_grad()
    logits = model(x)
    dice = soft_dice(logits, y)
    loss = F.binary_cross_entropy_with_logits(logits, y, pos_weight=torch.tensor(4.0)) + (1 - dice).mean()
    loss.backward()
    opt.step()
    noted = 0
    if it >= WARMUP and it % 3 == 0:
        noted = len(rank_cases(ids, dice, it))
    return loss.item(), dice.mean().item(), noted


def main():
    model = UNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    ema = None
    for it in range(ITERATIONS):
        loss, dice, noted = train_one(model, opt, it)
        ema = dice if ema is None else 0.95 * ema + 0.05 * dice
        if it % 60 == 0:
            print("it %d  loss %.3f  dice(ema) %.3f  noted %d" % (it, loss, ema, noted))

    with torch.no_grad():
        x, y, ids = phantom(4)
        table = rank_cases(ids, soft_dice(model(x), y), ITERATIONS)
    hardest = sorted(table.items(), key=lambda kv: kv[1].item())[:5]
    for (case, it), d in hardest:
        print(case, it, round(d.item(), 3))


if __name__ == "__main__":
    main()
