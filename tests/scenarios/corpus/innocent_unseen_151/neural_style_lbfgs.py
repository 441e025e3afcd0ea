# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_num_threads(1)


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        self.loss = F.mse_loss(gram_matrix(input), self.target)
        return input


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = mean.view(-1, 1, 1), std.view(-1, 1, 1)

    def forward(self, img):
        return (img - self.mean) / self.std


def make_cnn():
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 12, 3, padding=1)).eval()


def get_style_model_and_losses(cnn, mean, std, style_img, content_img, content_layers=("conv_3",),
                               style_layers=("conv_1", "conv_2", "conv_3", "conv_4")):
    content_losses, style_losses = [], []
    model = nn.Sequential(Normalization(mean, std))
    i = 0
    for layer in cnn.children():
        if isinstance(layer, nn.Conv2d):
            i += 1
            name = f"conv_{i}"
        elif isinstance(layer, nn.ReLU):
            name, layer = f"relu_{i}", nn.ReLU(inplace=False)
        else:
            name = f"pool_{i}"
        model.add_module(name, layer)
        if name in content_layers:
            content_losses.append(ContentLoss(model(content_img)))
            model.add_module(f"content_loss_{i}", content_losses[-1])
        if name in style_layers:
            style_losses.append(StyleLoss(model(style_img)))
            model.add_module(f"style_loss_{i}", style_losses[-1])
    return model, style_losses, content_losses


def run_style_transfer(content_img, style_img, input_img, num_steps=120, style_weight=1e4, content_weight=1):
    model, style_losses, content_losses = get_style_model_and_losses(
        make_cnn(), torch.tensor([0.48, 0.45, 0.4]), torch.tensor([0.23, 0.22, 0.22]), style_img, content_img)
    input_img.requires_grad_(True)
    model.requires_grad_(False)
    optimizer = optim.LBFGS([input_img], max_iter=10)
    run, log = [0], []
    while run[0] <= num_steps:

        def closure():
            with torch.no_grad():
                input_img.clamp_(0, 1)
            optimizer.zero_grad()
            model(input_img)
            style_score = content_score = 0
            for sl in style_losses:
                style_score += sl.loss
            for cl in content_losses:
                content_score += cl.loss
            style_score *= style_weight
            content_score *= content_weight
            loss = style_score + content_score
            loss.backward()
            run[0] += 1
            if run[0] % 40 == 0:
                log.append((run[0], style_score.item(), content_score.item()))
                print("run {}: Style Loss : {:4f} Content Loss: {:4f}".format(*log[-1]))
            return style_score + content_score

        optimizer.step(closure)
    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img


if __name__ == "__main__":
    torch.manual_seed(8)
    content = torch.rand(1, 3, 16, 16)
    style = torch.sin(torch.arange(256).float().view(1, 1, 16, 16) / 9).expand(1, 3, 16, 16).abs()
    out = run_style_transfer(content, style, content.clone())
    print("mean shift", (out - content).abs().mean().item())
