# gradwatch-corpus: kind=none
# Texture transfer with a random frozen convnet; the image itself is optimised
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
SIDE = 24


def stripes(side):
    t = torch.arange(side).float()
    wave = torch.sin(t * 1.3)[None, :].expand(side, side)
    cross = torch.cos(t * 0.4)[:, None].expand(side, side)
    return torch.stack([wave, cross, wave * cross]).unsqueeze(0)


def disc(side):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, side), torch.linspace(-1, 1, side), indexing="ij")
    m = ((xx ** 2 + yy ** 2) < 0.5).float()
    return torch.stack([m, 1 - m, 0.5 * m]).unsqueeze(0)


class Features:
    def __init__(self, net, layers):
        self.net = net
        self.store = {}
        self.handles = []
        for idx in layers:
            handle = net[idx].register_forward_hook(self.make_hook(idx))
            self.handles.append(handle)

    def make_hook(self, idx):
        def hook(mod, inp, out):
            self.store[idx] = out
        return hook

    def __call__(self, img):
        self.store.clear()
        self.net(img)
        return dict(self.store)

    def close(self):
        for h in self.handles:
            h.remove()
        self.store.clear()


def gram(f):
    _, c, h, w = f.shape
    f = f.reshape(c, h * w)
    return f @ f.t() / (c * h * w)


def total_variation(img):
    dx = (img[..., 1:] - img[..., :-1]).abs().mean()
    dy = (img[..., 1:, :] - img[..., :-1, :]).abs().mean()
    return dx + dy


net = nn.Sequential(
    nn.Conv2d(3, 12, 3, padding=1),
    nn.ReLU(),
    nn.Conv2d(12, 16, 3, padding=1),
    nn.ReLU(),
    nn.AvgPool2d(2),
    nn.Conv2d(16, 24, 3, padding=1),
)
for p in net.parameters():
    p.requires_grad_(False)

feats = Features(net, [0, 2, 5])
style_grams = {k: gram(v) for k, v in feats(stripes(SIDE)).items()}
content = feats(disc(SIDE))[5]

img = disc(SIDE) + 0.05 * torch.randn(1, 3, SIDE, SIDE)
img.requires_grad_(True)
opt = torch.optim.Adam([img], lr=0.03)
frames = []

for it in range(120):
    opt.zero_grad()
    now = feats(img)
    style_loss = 0.0
    for k, target in style_grams.items():
        style_loss = style_loss + F.mse_loss(gram(now[k]), target)
    content_loss = F.mse_loss(now[5], content)
    loss = 500 * style_loss + content_loss + 0.02 * total_variation(img)
    loss.backward()
    opt.step()
    if it % 30 == 0:
        frames.append(img.detach().clone())
        print("it", it, "style", style_loss.item(), "content", content_loss.item())

feats.close()
drift = [(f - frames[0]).abs().mean().item() for f in frames]
print("drift of the frames", drift)
