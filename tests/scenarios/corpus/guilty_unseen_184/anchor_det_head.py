# gradwatch-corpus: kind=graph-held
# holder: features[name] | features | features['c3']
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict

GRID = 6
STRIDE = 4
features = defaultdict(list)


def save_output(name):
    def hook(module, inputs, output):
        if module.training:
            features[name].append(output)  # <- culprit
    return hook


class Backbone(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, c, 3, 2, 1), nn.BatchNorm2d(c), nn.SiLU())
        self.down = nn.Sequential(nn.Conv2d(c, 2 * c, 3, 2, 1), nn.BatchNorm2d(2 * c), nn.SiLU())

    def forward(self, x):
        return self.down(self.stem(x))


class DetHead(nn.Module):
    def __init__(self, c, classes=3):
        super().__init__()
        self.tower = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.SiLU())
        self.cls = nn.Conv2d(c, classes, 1)
        self.box = nn.Conv2d(c, 4, 1)

    def forward(self, f):
        f = self.tower(f)
        return self.cls(f), self.box(f)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.head = DetHead(16)

    def forward(self, x):
        return self.head(self.backbone(x))


def synth_batch(n, gen):
    """One coloured rectangle in each picture."""
    size = GRID * STRIDE
    img = 0.1 * torch.randn(n, 3, size, size, generator=gen)
    cls_t = torch.zeros(n, 3, GRID, GRID)
    box_t = torch.zeros(n, 4, GRID, GRID)
    pos = torch.zeros(n, GRID, GRID, dtype=torch.bool)
    for i in range(n):
        k = int(torch.randint(0, 3, (1,), generator=gen))
        cx, cy = torch.randint(6, size - 6, (2,), generator=gen).tolist()
        w, h = torch.randint(3, 6, (2,), generator=gen).tolist()
        img[i, k, cy - h:cy + h, cx - w:cx + w] += 1.0
        gx, gy = cx // STRIDE, cy // STRIDE
        cls_t[i, k, gy, gx] = 1.0
        box_t[i, :, gy, gx] = torch.tensor([cx / STRIDE - gx, cy / STRIDE - gy, w / 6, h / 6])
        pos[i, gy, gx] = True
    return img, cls_t, box_t, pos


def det_loss(cls, box, cls_t, box_t, pos):
    p = torch.sigmoid(cls)
    ce = F.binary_cross_entropy_with_logits(cls, cls_t, reduction="none")
    focal = (ce * (cls_t - p).abs().pow(2)).sum() / pos.sum().clamp(min=1)
    m = pos.unsqueeze(1).expand_as(box)
    return focal, F.smooth_l1_loss(box[m], box_t[m])


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(2)
    model = Detector()
    model.backbone.down.register_forward_hook(save_output("c3"))
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, gamma=0.3)
    for it in range(420):
        img, cls_t, box_t, pos = synth_batch(2, gen)
        cls, box = model(img)
        l_cls, l_box = det_loss(cls, box, cls_t, box_t, pos)
        loss = l_cls + 2.0 * l_box
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 70 == 0:
            dead = (features["c3"][-1].abs().mean((0, 2, 3)) < 1e-3).sum().item()
            print(f"iter {it} cls {l_cls.item():.3f} box {l_box.item():.3f} dead channels {dead}")


if __name__ == "__main__":
    main()
