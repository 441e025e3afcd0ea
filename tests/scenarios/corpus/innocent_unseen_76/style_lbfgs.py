# gradwatch-corpus: kind=none
"""Gatys-style texture synthesis with a random conv net and L-BFGS."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(31)


def gram(a):
    b, c, h, w = a.size()
    f = a.view(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram(target_feature).detach()

    def forward(self, x):
        self.loss = F.mse_loss(gram(x), self.target)
        return x


def vgg_like():
    torch.manual_seed(0)
    mods, c = [], 3
    for w in (12, 16, 24):
        mods += [nn.Conv2d(c, w, 3, padding=1), nn.ReLU(inplace=False), nn.AvgPool2d(2)]
        c = w
    net = nn.Sequential(*mods)
    for p in net.parameters():
        p.requires_grad_(False)
    return net.eval()


def build(cnn, style_img, content_img, style_at=(1, 4, 7), content_at=(4,)):
    model, styles, contents = nn.Sequential(), [], []
    for i, layer in enumerate(cnn):
        model.append(layer)
        if i in content_at:
            contents.append(ContentLoss(model(content_img)))
            model.append(contents[-1])
        if i in style_at:
            styles.append(StyleLoss(model(style_img)))
            model.append(styles[-1])
    return model, styles, contents


def stripes(n=24):
    yy, xx = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    base = ((xx + yy) // 3 % 2).float()
    return torch.stack([base, 1 - base, 0.5 * base])[None]


def disc(n=24):
    yy, xx = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    d = ((xx - n / 2) ** 2 + (yy - n / 2) ** 2 < (n / 3) ** 2).float()
    return torch.stack([d, d, 1 - d])[None]


def run(num_steps=160, style_weight=1e6, content_weight=1.0):
    style_img, content_img = stripes(), disc()
    model, styles, contents = build(vgg_like(), style_img, content_img)
    img = content_img.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([img], max_iter=4)
    count = [0]
    record = []

    def closure():
        with torch.no_grad():
            img.clamp_(0, 1)
        optimizer.zero_grad()
        model(img)
        s = sum(sl.loss for sl in styles)
        c = sum(cl.loss for cl in contents)
        loss = style_weight * s + content_weight * c
        loss.backward()
        count[0] += 1
        record.append((s.item(), c.item()))
        return loss

    for step in range(num_steps):
        last = optimizer.step(closure)
        if step % 40 == 0:
            print(f"step {step} evals {count[0]} total {last.item():.4f} style {record[-1][0]:.2e}")
    with torch.no_grad():
        img.clamp_(0, 1)
    return img.detach()


out = run()
print("pixel mean", out.mean().item())
