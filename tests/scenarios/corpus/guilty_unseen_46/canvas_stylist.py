# gradwatch-corpus: kind=second-backward
# holder: self.target | sl.target | style_losses[0].target | style_losses | model.style_loss_1.target | model.style_loss_2.target | model.style_loss_3.target
# first-bad: 1
# Neural style transfer, after the PyTorch tutorial, with a small home-grown
# feature extractor since I can't download VGG on this machine.
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(7)
device = torch.device("cpu")
imsize = 48
STEPS = 80
style_weight = 5e3
content_weight = 1.0


def fake_photo(size):
    yy, xx = torch.meshgrid(torch.linspace(0, 1, size), torch.linspace(0, 1, size), indexing="ij")
    img = torch.stack([yy, xx, (yy * xx).sqrt()])
    return img.unsqueeze(0)


def fake_painting(size):
    yy, xx = torch.meshgrid(torch.linspace(0, 20, size), torch.linspace(0, 20, size), indexing="ij")
    img = torch.stack([torch.sin(xx), torch.cos(yy), torch.sin(xx + yy)]) * 0.5 + 0.5
    return img.unsqueeze(0)


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    G = torch.mm(features, features.t())
    return G.div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super(ContentLoss, self).__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super(StyleLoss, self).__init__()
        self.target = gram_matrix(target_feature)  # <- culprit

    def forward(self, input):
        G = gram_matrix(input)
        self.loss = F.mse_loss(G, self.target)
        return input


def make_cnn():
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1), nn.ReLU(inplace=False),
        nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(inplace=False),
        nn.AvgPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(inplace=False),
    ).to(device).eval()


def get_style_model_and_losses(cnn, style_img, content_img,
                               content_layers=("conv_2",), style_layers=("conv_1", "conv_2", "conv_3")):
    cnn = copy.deepcopy(cnn)
    content_losses, style_losses = [], []
    model = nn.Sequential()
    i = 0
    for layer in cnn.children():
        if isinstance(layer, nn.Conv2d):
            i += 1
            name = "conv_%d" % i
        elif isinstance(layer, nn.ReLU):
            name = "relu_%d" % i
        else:
            name = "pool_%d" % i
        model.add_module(name, layer)
        if name in content_layers:
            target = model(content_img)
            content_loss = ContentLoss(target)
            model.add_module("content_loss_%d" % i, content_loss)
            content_losses.append(content_loss)
        if name in style_layers:
            target_feature = model(style_img)  # <- culprit
            style_loss = StyleLoss(target_feature)
            model.add_module("style_loss_%d" % i, style_loss)
            style_losses.append(style_loss)
    return model, style_losses, content_losses


def run_style_transfer(cnn, content_img, style_img, input_img, num_steps, style_weight, content_weight):
    print("Building the style transfer model..")
    model, style_losses, content_losses = get_style_model_and_losses(cnn, style_img, content_img)
    input_img.requires_grad_(True)
    optimizer = optim.Adam([input_img], lr=0.02)
    print("Optimizing..")
    for run in range(num_steps):
        with torch.no_grad():
            input_img.clamp_(0, 1)
        optimizer.zero_grad()
        model(input_img)
        style_score = 0
        content_score = 0
        for sl in style_losses:
            style_score += sl.loss
        for cl in content_losses:
            content_score += cl.loss
        loss = style_weight * style_score + content_weight * content_score
        loss.backward()
        optimizer.step()
        if run % 20 == 0:
            print("run {}: Style Loss : {:4f} Content Loss: {:4f}".format(
                run, style_score.item(), content_score.item()))
    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img


content_img = fake_photo(imsize)
style_img = fake_painting(imsize)
output = run_style_transfer(make_cnn(), content_img, style_img, content_img.clone(),
                            STEPS, style_weight, content_weight)
print("done, mean pixel", output.mean().item())
