# gradwatch-corpus: kind=none
# %% [markdown]
# Segmenting blobs with a tiny U-Net, loss scaling by hand
# %%
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(21)


# %%
def blobs(n, size=16):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.rand(n, 2) * (size - 6) + 3
    r = torch.rand(n) * 2 + 2
    mask = ((yy - c[:, 0, None, None]) ** 2 + (xx - c[:, 1, None, None]) ** 2) < r[:, None, None] ** 2
    img = mask.float() + 0.7 * torch.randn(n, size, size)
    return img[:, None], mask[:, None].float()


class UNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.d1 = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.ReLU())
        self.d2 = nn.Sequential(nn.Conv2d(w, 2 * w, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.out = nn.Conv2d(2 * w, 1, 3, padding=1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        return self.out(torch.cat([a, self.up(b)], 1))


class LossScaler:
    def __init__(self, init=2.0 ** 12, growth_interval=100):
        self.scale_value = init
        self.growth_interval = growth_interval
        self.good = 0

    def scale(self, loss):
        return loss * self.scale_value

    def step(self, optimizer):
        params = [p for g in optimizer.param_groups for p in g["params"] if p.grad is not None]
        finite = all(torch.isfinite(p.grad).all() for p in params)
        if finite:
            for p in params:
                p.grad.div_(self.scale_value)
            optimizer.step()
            self.good += 1
        else:
            self.scale_value /= 2
            self.good = 0
        if self.good == self.growth_interval:
            self.scale_value *= 2
            self.good = 0
        return finite


def dice(logits, target):
    p = logits.sigmoid()
    return 1 - (2 * (p * target).sum() + 1) / (p.sum() + target.sum() + 1)


# %%
model = UNet()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=2)
scaler = LossScaler()
images, masks = blobs(800)
val_images, val_masks = blobs(100)
log = {"bce": [], "dice": [], "val": []}
best, best_weights = 1.0, None

for epoch in range(9):
    epoch_loss = torch.zeros(())
    model.train()
    for idx in torch.randperm(800).split(16):
        opt.zero_grad()
        logits = model(images[idx])
        bce = F.binary_cross_entropy_with_logits(logits, masks[idx])
        dl = dice(logits, masks[idx])
        loss = bce + dl
        scaler.scale(loss).backward()
        scaler.step(opt)
        epoch_loss += loss.detach()
        log["bce"].append(bce.item())
        log["dice"].append(dl.item())
    model.eval()
    with torch.no_grad():
        val = dice(model(val_images), val_masks).item()
    log["val"].append(val)
    plateau.step(val)
    if val < best:
        best = val
        best_weights = {k: v.detach().clone() for k, v in model.state_dict().items()}
    print(epoch, f"train {epoch_loss.item() / 50:.4f} val dice loss {val:.4f} scale {scaler.scale_value:.0f}")

# %%
model.load_state_dict(best_weights)
print("best", best)
