# gradwatch-corpus: kind=none
# Progressive autoencoder: blocks, resolution and batch all grow on a schedule, then stay.
import torch
import torch.nn as nn
import torch.nn.functional as F

STAGES = [
    {"until": 50, "side": 4, "batch": 4},
    {"until": 100, "side": 8, "batch": 8},
    {"until": 150, "side": 16, "batch": 12},
    {"until": 280, "side": 16, "batch": 16},
]


def textures(n, side):
    base = torch.randn(n, 1, 3, 3)
    img = F.interpolate(base, size=(side, side), mode="bilinear", align_corners=True)
    return torch.tanh(img + 0.05 * torch.randn(n, 1, side, side))


class Level(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.down = nn.Conv2d(ch, ch, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(ch, ch, 4, stride=2, padding=1)


class GrowingAE(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.ch = ch
        self.stem = nn.Conv2d(1, ch, 1)
        self.tail = nn.Conv2d(ch, 1, 1)
        self.levels = nn.ModuleList()
        self.fade = 1.0

    def grow(self):
        self.levels.append(Level(self.ch))
        self.fade = 0.0
        return self.levels[-1].parameters()

    def forward(self, x):
        h = self.stem(x)
        skips = []
        for lvl in reversed(self.levels):
            skips.append(h)
            h = F.leaky_relu(lvl.down(h), 0.2)
        for lvl in self.levels:
            skip = skips.pop()
            h = F.leaky_relu(lvl.up(h), 0.2)
            if lvl is self.levels[-1] and self.fade < 1.0:
                h = self.fade * h + (1 - self.fade) * skip
        return self.tail(h)


def main():
    torch.manual_seed(7)
    model = GrowingAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    opt.add_param_group({"params": list(model.grow())})
    stage, step = 0, 0
    while stage < len(STAGES):
        cfg = STAGES[stage]
        x = textures(cfg["batch"], cfg["side"])
        loss = F.l1_loss(model(x), x)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        model.fade = min(1.0, model.fade + 0.05)
        step += 1
        if step == cfg["until"]:
            print(f"step {step}: side {cfg['side']} batch {cfg['batch']} levels {len(model.levels)} l1 {loss.item():.4f}")
            stage += 1
            if stage < len(STAGES) and STAGES[stage]["side"] != cfg["side"]:
                opt.add_param_group({"params": list(model.grow())})


if __name__ == "__main__":
    main()
