# gradwatch-corpus: kind=none
# Neural style transfer (tutorial structure) with a random-feature network instead of VGG
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(9)
torch.set_num_threads(1)

imsize = 40


def load_content():
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, imsize), torch.linspace(-1, 1, imsize), indexing="ij")
    disc = ((xx ** 2 + yy ** 2) < 0.5).float()
    return torch.stack([disc, 0.5 * disc + 0.2, 1 - disc]).unsqueeze(0)


def load_style():
    yy, xx = torch.meshgrid(torch.arange(imsize), torch.arange(imsize), indexing="ij")
    stripes = 0.5 + 0.5 * torch.sin((xx + yy) * 0.9)
    return torch.stack([stripes, 1 - stripes, 0.3 * torch.ones_like(stripes)]).unsqueeze(0)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super(ContentLoss, self).__init__()
        # 'detach' the target content from the tree used to compute the gradient
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    G = torch.mm(features, features.t())
    return G.div(a * b * c * d)


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super(StyleLoss, self).__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        G = gram_matrix(input)
        self.loss = F.mse_loss(G, self.target)
        return input


def get_style_model_and_losses(style_img, content_img):
    model = nn.Sequential()
    content_losses = []
    style_losses = []
    channels = [3, 16, 24, 24]
    for i in range(1, 4):
        conv = nn.Conv2d(channels[i - 1], channels[i], 3, padding=1)
        nn.init.kaiming_normal_(conv.weight)
        model.add_module("conv_%d" % i, conv)
        if i == 2:
            content_loss = ContentLoss(model(content_img))
            model.add_module("content_loss_%d" % i, content_loss)
            content_losses.append(content_loss)
        style_loss = StyleLoss(model(style_img))
        model.add_module("style_loss_%d" % i, style_loss)
        style_losses.append(style_loss)
        if i < 3:
            model.add_module("relu_%d" % i, nn.ReLU(inplace=False))
            model.add_module("pool_%d" % i, nn.AvgPool2d(2))
    return model, style_losses, content_losses


def run_style_transfer(content_img, style_img, input_img, num_steps=100, style_weight=1e5, content_weight=1):
    print("Building the style transfer model..")
    model, style_losses, content_losses = get_style_model_and_losses(style_img, content_img)
    input_img.requires_grad_(True)
    model.eval()
    model.requires_grad_(False)
    optimizer = optim.LBFGS([input_img], max_iter=10, history_size=10)
    print("Optimizing..")
    run = [0]
    trace = []
    while run[0] < num_steps:

        def closure():
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
            style_score *= style_weight
            content_score *= content_weight
            loss = style_score + content_score
            loss.backward()
            run[0] += 1
            trace.append(loss.item())
            if run[0] % 20 == 0:
                print("run {}: Style Loss : {:4f} Content Loss: {:4f}".format(
                    run, style_score.item(), content_score.item()))
            return style_score + content_score

        optimizer.step(closure)

    with torch.no_grad():
        input_img.clamp_(0, 1)
    return input_img, trace


if __name__ == "__main__":
    content = load_content()
    style = load_style()
    output, trace = run_style_transfer(content, style, content.clone())
    print("loss %.3f -> %.3f" % (trace[0], trace[-1]), "mean", output.mean().item())
