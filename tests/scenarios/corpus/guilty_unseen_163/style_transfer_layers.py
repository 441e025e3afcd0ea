# gradwatch-corpus: kind=second-backward
# holder: self.target | cl.target | layer.target | model.content_loss_3.target
# first-bad: 1
"""Neural style transfer after the tutorial, with a small conv net in place of VGG."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(99)


def gram_matrix(x):
    b, c, h, w = x.shape
    feats = x.reshape(b * c, h * w)
    return feats @ feats.t() / (b * c * h * w)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target  # <- culprit

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


def backbone():
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1), nn.ReLU(),
        nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(),
    ).eval()


def build(cnn, content_img, style_img, content_at=(3,), style_at=(0, 1, 2, 3)):
    model, contents, styles = nn.Sequential(), [], []
    i = 0
    for layer in cnn.children():
        if isinstance(layer, nn.Conv2d):
            i += 1
            name = f"conv_{i}"
        else:
            name = f"{type(layer).__name__.lower()}_{i}"
            if isinstance(layer, nn.ReLU):
                layer = nn.ReLU(inplace=False)
        model.add_module(name, layer)
        if not isinstance(layer, nn.Conv2d):
            continue
        if i in content_at:
            target = model(content_img)  # <- culprit
            cl = ContentLoss(target)  # <- culprit
            model.add_module(f"content_loss_{i}", cl)
            contents.append(cl)
        if i in style_at:
            sl = StyleLoss(model(style_img))
            model.add_module(f"style_loss_{i}", sl)
            styles.append(sl)
    return model, contents, styles


def picture(freq, size=32):
    t = torch.linspace(0, 6.28, size)
    base = torch.stack([torch.sin(freq * t)[:, None] * torch.cos((freq + k) * t)[None] for k in range(3)])
    return (base.unsqueeze(0) + 1) / 2


def main():
    content, style = picture(1.0), picture(5.0)
    model, contents, styles = build(backbone(), content, style)
    img = content.clone().requires_grad_(True)
    opt = torch.optim.Adam([img], lr=0.02)
    for run in range(120):
        with torch.no_grad():
            img.clamp_(0, 1)
        opt.zero_grad()
        model(img)
        content_score = sum(c.loss for c in contents)
        style_score = 1e4 * sum(s.loss for s in styles)
        loss = content_score + style_score
        loss.backward()
        opt.step()
        if run % 20 == 0:
            print(f"run {run} style {style_score.item():.4f} content {content_score.item():.4f}")


if __name__ == "__main__":
    main()
