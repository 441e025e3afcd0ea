import torch.nn.functional as F
from torch import nn


def gram(fmap):
    b, c, h, w = fmap.shape
    flat = fmap.view(b * c, h * w)
    return flat @ flat.t() / (b * c * h * w)


class StyleLoss(nn.Module):
    def __init__(self, reference):
        super().__init__()
        self.target = gram(reference)  # <- culprit

    def forward(self, fmap):
        return F.mse_loss(gram(fmap), self.target)  # <- culprit


class ContentLoss(nn.Module):
    def __init__(self, reference):
        super().__init__()
        self.target = reference.detach()

    def forward(self, fmap):
        return F.mse_loss(fmap, self.target)


class Stylist:
    def __init__(self, backbone, content, style, style_weight=200.0):
        self.backbone = backbone.eval()
        self.content_image = content
        self.style_weight = style_weight
        self.losses = [StyleLoss(m) for m in self.backbone(style)]  # <- culprit
        self.content = ContentLoss(self.backbone(content)[-1])

    def objective(self, image):
        maps = self.backbone(image)
        style = sum(loss(m) for loss, m in zip(self.losses, maps))
        return self.style_weight * style + self.content(maps[-1])
