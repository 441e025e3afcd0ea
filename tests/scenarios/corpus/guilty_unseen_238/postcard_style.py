# gradwatch-corpus: kind=graph-held
# holder: taps | taps["conv2"] | taps["conv1"] | taps["conv3"]
# first-bad: 1
# style transfer between two made-up postcards. feature net is random conv, works surprisingly ok
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1889)

PIX = 32
STEPS = 90
STYLE_W = 40.0
CONTENT_W = 1.0
SMOOTH_W = 0.05

taps = {"conv1": [], "conv2": [], "conv3": []}
losses = []


def tap_into(name):
    def hook(module, inputs, output):
        taps[name].append(output)  # <- culprit

    return hook


def build_eye():
    eye = nn.Sequential()
    chans = [3, 8, 16, 24]
    for i in range(3):
        conv = nn.Conv2d(chans[i], chans[i + 1], 3, padding=1)
        nn.init.orthogonal_(conv.weight, gain=1.4)
        conv.register_forward_hook(tap_into(f"conv{i + 1}"))
        eye.add_module(f"conv{i + 1}", conv)
        eye.add_module(f"act{i + 1}", nn.Softplus())
        eye.add_module(f"pool{i + 1}", nn.AvgPool2d(2))
    for p in eye.parameters():
        p.requires_grad_(False)
    return eye


def grid():
    line = torch.linspace(-1, 1, PIX)
    return torch.meshgrid(line, line, indexing="ij")


def postcard_lighthouse():
    y, x = grid()
    tower = ((x.abs() < 0.12) & (y > -0.6)).float()
    sky = (0.5 - 0.4 * y).clamp(0, 1)
    return torch.stack([tower * 0.9 + 0.1, sky * 0.6 + tower * 0.3, sky]).unsqueeze(0)


def postcard_swirl():
    y, x = grid()
    r = torch.sqrt(x ** 2 + y ** 2)
    a = torch.atan2(y, x)
    s = 0.5 + 0.5 * torch.sin(9 * r + 3 * a)
    c = 0.5 + 0.5 * torch.cos(5 * r * math.pi - a)
    return torch.stack([s, c * 0.7, 1 - s]).unsqueeze(0)


def gram(f):
    flat = f.flatten(2)[0]
    return flat @ flat.t() / flat.numel()


def latest(name):
    return taps[name][-1]


def total_variation(img):
    dx = (img[..., 1:] - img[..., :-1]).abs().mean()
    dy = (img[..., 1:, :] - img[..., :-1, :]).abs().mean()
    return dx + dy


eye = build_eye()

eye(postcard_swirl())
style_grams = {n: gram(latest(n)) for n in taps}
eye(postcard_lighthouse())
content_feat = latest("conv2")

canvas = (postcard_lighthouse() + 0.1 * torch.randn(1, 3, PIX, PIX)).requires_grad_()
opt = torch.optim.Adam([canvas], lr=0.03)

for step in range(STEPS):
    eye(canvas)
    style = sum(F.mse_loss(gram(latest(n)), style_grams[n]) for n in taps)
    content = F.mse_loss(latest("conv2"), content_feat)
    loss = STYLE_W * style + CONTENT_W * content + SMOOTH_W * total_variation(canvas)

    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        canvas.clamp_(0, 1)

    losses.append(loss.item())
    if step % 18 == 0:
        print("step %3d  loss %.4f  style %.5f  content %.5f" % (step, losses[-1], style.item(), content.item()))

mean_rgb = canvas.detach().mean(dim=(0, 2, 3)).tolist()
print("postcard colour:", [round(v, 3) for v in mean_rgb])
