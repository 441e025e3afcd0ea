# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | sl.smooth | layer.smooth
# first-bad: 1
# notice: 5
"""Texture transfer on a 16x16 patch with a fixed random feature extractor and jittered crops."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(13)


def gram_matrix(feat):
    b, c, h, w = feat.shape
    f = feat.view(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, target_feature, momentum=0.8):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()
        self.momentum = momentum
        self.smooth = None

    def forward(self, x):
        g = gram_matrix(x)
        if self.smooth is None:
            self.smooth = g
        else:
            self.smooth = self.momentum * self.smooth + (1 - self.momentum) * g  # <- culprit
        self.loss = F.mse_loss(self.smooth, self.target)
        return x


def backbone():
    convs = [nn.Conv2d(3, 6, 3, padding=1), nn.Conv2d(6, 8, 3, padding=1)]
    for c in convs:
        for p in c.parameters():
            p.requires_grad_(False)
    return convs


def build(content_img, style_img):
    model, styles, contents = nn.Sequential(), [], []
    c, s = content_img, style_img
    for i, conv in enumerate(backbone()):
        model.append(conv).append(nn.ReLU(inplace=False))
        c, s = torch.relu(conv(c)), torch.relu(conv(s))
        if i == 1:
            layer = ContentLoss(c)
            model.append(layer)
            contents.append(layer)
        layer = StyleLoss(s)
        model.append(layer)
        styles.append(layer)
    return model, styles, contents


def patches():
    yy, xx = torch.meshgrid(torch.linspace(0, 1, 16), torch.linspace(0, 1, 16), indexing="ij")
    content = torch.stack([yy, xx, ((yy - .5) ** 2 + (xx - .5) ** 2 < .1).float()]).unsqueeze(0)
    style = torch.stack([(torch.sin(20 * xx) + 1) / 2, (torch.sin(20 * yy) + 1) / 2, xx * 0 + .3]).unsqueeze(0)
    return content, style


def run_style_transfer(num_steps=180, style_weight=2e4, content_weight=1.0):
    content, style = patches()
    model, style_losses, content_losses = build(content, style)
    delta = torch.zeros_like(content).requires_grad_(True)
    optimizer = torch.optim.Adam([delta], lr=0.01)
    for run in range(num_steps):
        shift = int(torch.randint(-1, 2, ()))
        canvas = (content + delta).clamp(-0.2, 1.2)
        model(torch.roll(canvas, shift, dims=3))
        style_score = sum(sl.loss for sl in style_losses) * style_weight
        content_score = sum(cl.loss for cl in content_losses) * content_weight
        loss = style_score + content_score
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        if run % 50 == 0:
            print("run %d: style %.4f content %.4f" % (run, style_score.item(), content_score.item()))
    return (content + delta).detach()


run_style_transfer()
