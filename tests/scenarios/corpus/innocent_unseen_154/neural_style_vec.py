# gradwatch-corpus: kind=none
# Neural style transfer tutorial, with a random frozen conv net instead of VGG.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(12)
torch.set_num_threads(1)


def gram_matrix(x):
    a, b, c, d = x.size()
    f = x.view(a * b, c * d)
    return (f @ f.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, x):
        self.loss = F.mse_loss(gram_matrix(x), self.target)
        return x


def build(cnn, style_img, content_img, content_at=(2,), style_at=(1, 2, 3)):
    model, content_losses, style_losses, i = nn.Sequential(), [], [], 0
    for layer in cnn:
        if isinstance(layer, nn.Conv2d):
            i += 1
        model.append(nn.ReLU(inplace=False) if isinstance(layer, nn.ReLU) else layer)
        if isinstance(layer, nn.Conv2d):
            if i in content_at:
                content_losses.append(ContentLoss(model(content_img)))
                model.append(content_losses[-1])
            if i in style_at:
                style_losses.append(StyleLoss(model(style_img)))
                model.append(style_losses[-1])
    return model, style_losses, content_losses


cnn = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(),
                    nn.AvgPool2d(2), nn.Conv2d(12, 16, 3, padding=1), nn.ReLU()).requires_grad_(False)
content = torch.zeros(1, 3, 16, 16)
content[..., 4:12, 4:12] = 1
style = (torch.arange(16).view(1, 1, 16, 1) % 4 < 2).float().expand(1, 3, 16, 16)

input_img = content.clone().requires_grad_(True)
model, style_losses, content_losses = build(cnn, style, content)
model.eval()
optimizer = torch.optim.LBFGS([input_img], lr=0.5)
run = [0]
while run[0] <= 120:
    def closure():
        with torch.no_grad():
            input_img.clamp_(0, 1)
        optimizer.zero_grad()
        model(input_img)
        style_score, content_score = 0, 0
        for sl in style_losses:
            style_score += sl.loss
        for cl in content_losses:
            content_score += cl.loss
        loss = 1e4 * style_score + content_score
        loss.backward()
        run[0] += 1
        if run[0] % 30 == 0:
            print(f"run {run[0]}: style {style_score.item():.3e} content {content_score.item():.4f}")
        return loss

    optimizer.step(closure)
with torch.no_grad():
    input_img.clamp_(0, 1)
print(input_img.mean().item())
