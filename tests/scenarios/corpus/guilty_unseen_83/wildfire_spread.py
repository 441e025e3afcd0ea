# gradwatch-corpus: kind=inplace-modified
# holder: fuel
# first-bad: 60
# notice: 0
"""
Learning the spread kernel of a wildfire cellular model from burned-area maps.

The model predicts ignition probability from (fire, fuel, slope, wind); fuel is consumed
as the fire passes. The rollout horizon is increased during training.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1871)

SIZE = 20
BATCH = 4
ITERS = 240
BURN_RATE = 0.35


def make_landscape(b):
    coarse = torch.rand(b, 1, 5, 5)
    fuel = F.interpolate(coarse, size=SIZE, mode="bilinear", align_corners=False).clamp(0.1, 1)
    slope = F.interpolate(torch.randn(b, 1, 4, 4), size=SIZE, mode="bicubic", align_corners=False)
    wind = torch.randn(b, 1, 1, 1).expand(b, 1, SIZE, SIZE)
    return fuel, slope, wind


def true_spread(fire, fuel, slope, wind):
    k = torch.tensor([[0.5, 0.9, 0.5], [0.9, 0.0, 0.9], [0.5, 0.9, 0.5]])[None, None]
    press = F.conv2d(fire, k, padding=1)
    return torch.sigmoid(3 * press * fuel + 0.3 * slope + 0.2 * wind - 2.5)


def simulate_truth(fuel, slope, wind, steps):
    fuel = fuel.clone()
    fire = torch.zeros_like(fuel)
    fire[:, :, SIZE // 2 - 1:SIZE // 2 + 1, SIZE // 2 - 1:SIZE // 2 + 1] = 1
    frames = [fire]
    for _ in range(steps):
        fire = torch.maximum(fire * 0.8, true_spread(fire, fuel, slope, wind)) * (fuel > 0.02)
        fuel = (fuel - BURN_RATE * fire * fuel).clamp_min(0)
        frames.append(fire)
    return frames


class SpreadNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(4, ch, 3, padding=1), nn.Tanh(),
            nn.Conv2d(ch, ch, 3, padding=1), nn.Tanh(),
            nn.Conv2d(ch, 1, 1),
        )
        with torch.no_grad():
            self.net[-1].bias.fill_(-1.5)

    def forward(self, fire, fuel, slope, wind):
        return torch.sigmoid(self.net(torch.cat([fire, fuel, slope, wind], 1)))


def rollout(model, fire, fuel, slope, wind, horizon):
    fuel = fuel.clone()
    frames = []
    for k in range(horizon):
        ignite = model(fire, fuel, slope, wind)
        fire = torch.maximum(fire * 0.8, ignite * fuel)
        frames.append(fire)
        if k + 1 < horizon:
            fuel -= BURN_RATE * fire.detach()  # <- culprit
            fuel.clamp_(min=0)  # <- culprit
    return frames


def horizon_at(it):
    return 1 + min(3, it // 60)


def iou(a, b, thr=0.4):
    a, b = a > thr, b > thr
    return ((a & b).sum().float() / (a | b).sum().clamp(min=1)).item()


def main():
    model = SpreadNet()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    scores = []
    for it in range(ITERS):
        h = horizon_at(it)
        fuel, slope, wind = make_landscape(BATCH)
        truth = simulate_truth(fuel, slope, wind, h)
        frames = rollout(model, truth[0], fuel, slope, wind, h)
        loss = sum(F.mse_loss(p, t) for p, t in zip(frames, truth[1:])) / h
        opt.zero_grad()
        loss.backward()
        opt.step()
        scores.append(iou(frames[-1].detach(), truth[-1]))
        if it % 20 == 0:
            print(f"it {it:3d} horizon {h} mse {loss.item():.4f} IoU {sum(scores[-20:]) / len(scores[-20:]):.3f}")


if __name__ == "__main__":
    main()
