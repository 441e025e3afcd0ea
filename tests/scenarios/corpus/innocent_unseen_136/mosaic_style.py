# gradwatch-corpus: kind=none
"""Neural style transfer with L-BFGS, run over a set of content tiles."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(6)


def gram(x):
    b, c, h, w = x.size()
    f = x.view(b * c, h * w)
    return (f @ f.t()).div(b * c * h * w)


class Tap(nn.Module):
    """Sits in the feature stack and records the latest loss against its target."""

    def __init__(self, target, kind):
        super().__init__()
        self.kind = kind
        self.target = (gram(target) if kind == "style" else target).detach()
        self.loss = None

    def forward(self, x):
        self.loss = F.mse_loss(gram(x) if self.kind == "style" else x, self.target)
        return x


class Extractor:
    def __init__(self, widths=(3, 5, 6)):
        self.convs = []
        for a, b in zip(widths[:-1], widths[1:]):
            conv = nn.Conv2d(a, b, 3, padding=1)
            conv.requires_grad_(False)
            self.convs.append(conv)

    def with_taps(self, content, style):
        model, taps = nn.Sequential(), []
        c, s = content, style
        for i, conv in enumerate(self.convs):
            model.append(conv)
            c, s = conv(c), conv(s)
            taps.append(Tap(s, "style"))
            model.append(taps[-1])
            if i == len(self.convs) - 1:
                taps.append(Tap(c, "content"))
                model.append(taps[-1])
            model.append(nn.Tanh())
            c, s = torch.tanh(c), torch.tanh(s)
        return model, taps


def stylise(extractor, content, style, num_steps, style_weight=1e5):
    model, taps = extractor.with_taps(content, style)
    img = content.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([img], max_iter=3)
    run, curve = [0], []
    while run[0] < num_steps:
        def closure():
            with torch.no_grad():
                img.clamp_(0, 1)
            optimizer.zero_grad()
            model(img)
            style_score = style_weight * sum(t.loss for t in taps if t.kind == "style")
            content_score = sum(t.loss for t in taps if t.kind == "content")
            loss = style_score + content_score
            loss.backward()
            run[0] += 1
            curve.append(loss.item())
            return loss

        optimizer.step(closure)
    with torch.no_grad():
        img.clamp_(0, 1)
    return img.detach(), curve


def main():
    extractor = Extractor()
    style = (torch.arange(12)[None, None, None, :] % 3 / 2.0).expand(1, 3, 12, 12).contiguous()
    results = []
    for k in range(14):
        content = torch.rand(1, 3, 12, 12)
        out, curve = stylise(extractor, content, style, num_steps=105)
        results.append(out)
        if k % 4 == 0:
            print(f"tile {k}: {curve[0]:.4f} -> {curve[-1]:.4f} in {len(curve)} evaluations")
    print("mosaic mean", torch.cat(results).mean().item())


main()
