# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | style_losses[i].smooth | style_losses[0].smooth | style_losses[1].smooth
# first-bad: 1
# notice: 5
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_num_threads(1)

SIZE = 20
STEPS = 90
STYLE_WEIGHT = 200.0
CONTENT_WEIGHT = 1.0


def stripes(size):
    g = torch.arange(size).float()
    rows = torch.sin(g / 1.5).view(1, 1, size, 1).expand(1, 3, size, size)
    return (rows * 0.5 + 0.5).contiguous()


def disc(size):
    g = torch.linspace(-1, 1, size)
    r = g.view(-1, 1) ** 2 + g.view(1, -1) ** 2
    return (r < 0.4).float().view(1, 1, size, size).expand(1, 3, size, size).contiguous()


def gram(f):
    b, c, h, w = f.shape
    f = f.view(c, h * w)
    return f @ f.t() / (c * h * w)


class StyleLoss(nn.Module):
    """Compares gram matrices; the gram of our image jitters, so it is smoothed."""

    def __init__(self, target_features, momentum=0.8):
        super().__init__()
        self.target = gram(target_features).detach()
        self.momentum = momentum
        self.smooth = None

    def forward(self, features):
        g = gram(features)
        if self.smooth is None:
            self.smooth = g
        else:
            self.smooth = self.momentum * self.smooth + (1 - self.momentum) * g  # <- culprit
        return F.mse_loss(self.smooth, self.target)


class ContentLoss(nn.Module):
    def __init__(self, target_features):
        super().__init__()
        self.target = target_features.detach()

    def forward(self, features):
        return F.mse_loss(features, self.target)


# random features are good enough for 20 x 20 pixels
conv1 = nn.Conv2d(3, 8, 3, padding=1)
conv2 = nn.Conv2d(8, 12, 3, padding=1, stride=2)
for p in list(conv1.parameters()) + list(conv2.parameters()):
    p.requires_grad_(False)


def features(picture):
    a = torch.tanh(conv1(picture))
    b = torch.tanh(conv2(a))
    return [a, b]


style_img = stripes(SIZE)
content_img = disc(SIZE)

style_losses = [StyleLoss(f) for f in features(style_img)]
content_loss = ContentLoss(features(content_img)[1])

canvas = torch.randn(1, 3, SIZE, SIZE, requires_grad=True)
optimizer = torch.optim.Adam([canvas], lr=0.08)

for step in range(STEPS):
    optimizer.zero_grad()
    # random shift of one pixel, as in the tutorial
    shift = int(torch.randint(-1, 2, (1,)))
    picture = torch.sigmoid(canvas).roll(shift, dims=3)
    feats = features(picture)

    style = 0
    for i in range(len(style_losses)):
        style = style + style_losses[i](feats[i])
    content = content_loss(feats[1])

    loss = STYLE_WEIGHT * style + CONTENT_WEIGHT * content
    loss.backward(retain_graph=True)
    optimizer.step()

    if step % 15 == 0:
        print(f"{step:3d}  style {style.item():.5f}  content {content.item():.5f}")

result = torch.sigmoid(canvas).detach()
print("mean colour", [round(v, 3) for v in result.mean(dim=(0, 2, 3)).tolist()])
for row in result[0].mean(0)[::2]:
    print("".join(" .:-=+*#%@"[min(9, int(v * 10))] for v in row.tolist()))
