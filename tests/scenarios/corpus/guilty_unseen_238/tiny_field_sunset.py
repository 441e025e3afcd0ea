# gradwatch-corpus: kind=graph-chain
# holder: field["w"] | field["b"] | field
# first-bad: 1
# A NeRF-ish coordinate field that paints a sunset. Wrote my own SGD because I wanted to know how it works.
import math

import torch

torch.manual_seed(11)

H = 20
W = 28
BANDS = 5
HIDDEN = 32
STEPS = 120

settings = {
    "lr": 0.25,
    "lr_fade": 0.995,
    "batch": 192,
}


def fourier(xy):
    parts = [xy]
    for k in range(BANDS):
        f = math.pi * (2 ** k)
        parts.append(torch.sin(f * xy))
        parts.append(torch.cos(f * xy))
    return torch.cat(parts, dim=1)


def make_sunset():
    ys = torch.linspace(-1, 1, H)
    xs = torch.linspace(-1, 1, W)
    gy, gx = torch.meshgrid(ys, xs, indexing="ij")
    sun = torch.exp(-12 * ((gx - 0.1) ** 2 + (gy + 0.1) ** 2))
    red = (0.6 + 0.4 * sun - 0.2 * gy.clamp(min=0)).clamp(0, 1)
    green = (0.3 - 0.25 * gy + 0.5 * sun).clamp(0, 1)
    blue = (0.4 + 0.3 * gy.abs() - 0.3 * sun).clamp(0, 1)
    xy = torch.stack([gx, gy], dim=-1).reshape(-1, 2)
    rgb = torch.stack([red, green, blue], dim=-1).reshape(-1, 3)
    return xy, rgb


dims = [2 + 4 * BANDS, HIDDEN, HIDDEN, 3]

field = {"w": [], "b": []}
for i in range(len(dims) - 1):
    field["w"].append((torch.randn(dims[i], dims[i + 1]) / math.sqrt(dims[i])).requires_grad_())
    field["b"].append(torch.zeros(dims[i + 1], requires_grad=True))


def paint(field, feats):
    h = feats
    last = len(field["w"]) - 1
    for i, (w, b) in enumerate(zip(field["w"], field["b"])):
        h = h @ w + b
        if i < last:
            h = torch.tanh(h)
    return torch.sigmoid(h)


coords, colours = make_sunset()
feats = fourier(coords)
lr = settings["lr"]
log = []

for step in range(STEPS):
    pick = torch.randint(0, feats.shape[0], (settings["batch"],))
    guess = paint(field, feats[pick])
    loss = ((guess - colours[pick]) ** 2).mean()

    for t in field["w"] + field["b"]:
        t.retain_grad()
    loss.backward()

    field["w"] = [w - lr * w.grad for w in field["w"]]  # <- culprit
    field["b"] = [b - lr * b.grad for b in field["b"]]  # <- culprit
    lr *= settings["lr_fade"]

    log.append(loss.item())
    if step % 24 == 0:
        psnr = -10 * math.log10(log[-1])
        print("step", step, "psnr %.2f" % psnr, "lr %.4f" % lr)

with torch.no_grad():
    full = paint(field, feats)
    err = ((full - colours) ** 2).mean().item()

ramp = " .:-=+*#%@"
picture = full.mean(dim=1).reshape(H, W)
for row in range(0, H, 4):
    print("".join(ramp[int(v * 9.99)] for v in picture[row].tolist()))
print("final mse %.5f" % err)
