# gradwatch-corpus: kind=none
"""
Neural style transfer, following the official tutorial (content/style losses are
transparent layers inside the feature extractor). No VGG here: a random frozen
conv stack works surprisingly well on 24x24 textures.
"""
from __future__ import print_function

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_num_threads(1)
torch.manual_seed(123)


def stripes(n, freq, angle):
    g = torch.linspace(-1, 1, n)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    a = torch.tensor(angle)
    base = torch.sin(freq * (xx * torch.cos(a) + yy * torch.sin(a)))
    return torch.stack([base, base.roll(2, 0), -base]).unsqueeze(0) * 0.5 + 0.5


def blob(n):
    g = torch.linspace(-1, 1, n)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    d = torch.exp(-4 * (xx ** 2 + yy ** 2))
    return torch.stack([d, 1 - d, 0.5 * d]).unsqueeze(0)


def gram_matrix(inp):
    a, b, c, d = inp.size()
    features = inp.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()
        self.loss = 0

    def forward(self, inp):
        self.loss = F.mse_loss(inp, self.target)
        return inp

    def backward(self, retain_graph=True):
        self.loss.backward(retain_graph=retain_graph)
        return self.loss


class StyleLoss(nn.Module):
    def __init__(self, target_feature, weight):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()
        self.weight = weight
        self.loss = 0

    def forward(self, inp):
        self.G = gram_matrix(inp)
        self.loss = F.mse_loss(self.G, self.target) * self.weight
        return inp

    def backward(self, retain_graph=True):
        self.loss.backward(retain_graph=retain_graph)
        return self.loss


def build(style_img, content_img, style_weight=1e5):
    model = nn.Sequential()
    content_losses, style_losses = [], []
    cin = 3
    for i, cout in enumerate([8, 12], 1):
        conv = nn.Conv2d(cin, cout, 3, padding=1)
        model.add_module("conv_%d" % i, conv)
        model.add_module("relu_%d" % i, nn.ReLU(inplace=False))
        if i == 2:
            cl = ContentLoss(model(content_img))
            model.add_module("content_loss_%d" % i, cl)
            content_losses.append(cl)
        sl = StyleLoss(model(style_img), style_weight)
        model.add_module("style_loss_%d" % i, sl)
        style_losses.append(sl)
        cin = cout
    model.requires_grad_(False)
    return model, style_losses, content_losses


def run_style_transfer(num_steps=320, n=24):
    content, style = blob(n), stripes(n, 12.0, 0.6)
    model, style_losses, content_losses = build(style, content)
    input_img = content.clone().requires_grad_(True)
    optimizer = optim.Adam([input_img], lr=0.02)
    run = [0]
    curve = []

    while run[0] < num_steps:

        def closure():
            with torch.no_grad():
                input_img.clamp_(0, 1)
            optimizer.zero_grad()
            model(input_img)
            style_score = content_score = 0
            for sl in style_losses:
                style_score += sl.backward(retain_graph=True)
            for cl in content_losses:
                content_score += cl.backward(retain_graph=True)
            run[0] += 1
            curve.append((style_score.item(), content_score.item()))
            if run[0] % 80 == 0:
                print("run {}: Style Loss : {:4f} Content Loss: {:4f}".format(run[0], *curve[-1]))
            return style_score + content_score

        optimizer.step(closure)

    input_img.data.clamp_(0, 1)
    return input_img, curve


output, curve = run_style_transfer()
print("mean pixel", output.mean().item(), "evaluations", len(curve))
