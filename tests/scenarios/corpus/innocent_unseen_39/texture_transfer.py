# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(12)
imsize = 24
num_steps = 64
style_weight, content_weight = 2000, 1


def content_picture():
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, imsize), torch.linspace(-1, 1, imsize), indexing="ij")
    disc = ((xx ** 2 + yy ** 2) < 0.5).float()
    return torch.stack([disc, 0.5 * disc, 0.2 + 0.3 * (xx > 0).float()]).unsqueeze(0)


def style_picture():
    yy, xx = torch.meshgrid(torch.arange(imsize), torch.arange(imsize), indexing="ij")
    stripes = ((xx + yy) % 6 < 3).float()
    return (torch.stack([stripes, 1 - stripes, stripes]) + 0.1 * torch.randn(3, imsize, imsize)).clamp(0, 1).unsqueeze(0)


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target, weight):
        super(ContentLoss, self).__init__()
        self.target = target.detach()
        self.weight = weight

    def forward(self, input):
        self.loss = self.weight * F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature, weight):
        super(StyleLoss, self).__init__()
        self.target = gram_matrix(target_feature).detach()
        self.weight = weight

    def forward(self, input):
        self.G = gram_matrix(input)
        self.loss = self.weight * F.mse_loss(self.G, self.target)
        return input


def small_vgg():
    layers, c = [], 3
    for width in (8, 12, 16):
        conv = nn.Conv2d(c, width, 3, padding=1)
        nn.init.orthogonal_(conv.weight)
        layers += [conv, nn.ReLU(inplace=False), nn.AvgPool2d(2)]
        c = width
    return nn.Sequential(*layers).requires_grad_(False).eval()


def get_style_model_and_losses(cnn, style_img, content_img):
    model = nn.Sequential()
    content_losses, style_losses = [], []
    i = 0
    for layer in copy.deepcopy(cnn).children():
        model.add_module("l%d" % len(model), layer)
        if isinstance(layer, nn.Conv2d):
            i += 1
            if i == 2:
                content_losses.append(ContentLoss(model(content_img), content_weight))
                model.add_module("content_%d" % i, content_losses[-1])
            style_losses.append(StyleLoss(model(style_img), style_weight))
            model.add_module("style_%d" % i, style_losses[-1])
    # trim off the layers after the last content and style losses
    for i in range(len(model) - 1, -1, -1):
        if isinstance(model[i], (ContentLoss, StyleLoss)):
            break
    return model[:i + 1], style_losses, content_losses


def run_style_transfer(cnn, content_img, style_img, input_img):
    model, style_losses, content_losses = get_style_model_and_losses(cnn, style_img, content_img)
    input_img.requires_grad_(True)
    optimizer = optim.Adam([input_img], lr=0.03)
    scores = {"style": [], "content": []}
    for run in range(num_steps):
        optimizer.zero_grad()
        model(input_img)
        style_score = content_score = 0
        todo = style_losses + content_losses
        for n, sl in enumerate(todo):
            sl.loss.backward(retain_graph=n < len(todo) - 1)
            if isinstance(sl, StyleLoss):
                style_score += sl.loss.item()
            else:
                content_score += sl.loss.item()
        optimizer.step()
        with torch.no_grad():
            input_img.clamp_(0, 1)
        scores["style"].append(style_score)
        scores["content"].append(content_score)
        if run % 16 == 0:
            print("run {}: Style Loss : {:4f} Content Loss: {:4f}".format(run, style_score, content_score))
    return input_img.detach(), scores


content_img, style_img = content_picture(), style_picture()
output, scores = run_style_transfer(small_vgg(), content_img, style_img, content_img.clone())
print("style loss fell by a factor %.1f" % (scores["style"][0] / scores["style"][-1]))
