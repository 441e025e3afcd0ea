# gradwatch-corpus: kind=crashed
# holder: input_img
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)

cnn = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AvgPool2d(2),
                    nn.Conv2d(8, 16, 3, padding=1), nn.ReLU()).eval().requires_grad_(False)


def gram_matrix(x):
    a, b, c, d = x.size()
    f = x.view(a * b, c * d)
    return f @ f.t() / (a * b * c * d)


def features(img, layers=(1, 4)):
    feats, x = {}, img
    for k, layer in enumerate(cnn):
        x = layer(x)
        if k in layers:
            feats[k] = x
    return feats


def run_style_transfer(content, style, num_steps=300, style_weight=1e4, lr=0.05):
    content_t = features(content)[4]
    style_t = {k: gram_matrix(v) for k, v in features(style).items()}
    input_img = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([input_img], lr=lr)
    for run in range(num_steps):
        optimizer.zero_grad()
        f = features(input_img)
        style_score = sum(F.mse_loss(gram_matrix(f[k]), g) for k, g in style_t.items())
        content_score = F.mse_loss(f[4], content_t)
        loss = style_weight * style_score + content_score
        loss.backward()
        optimizer.step()
        # correct the values of updated input image
        input_img = input_img.data.clamp(0, 1)  # <- culprit
        if run % 50 == 0:
            print("run {}: Style {:4f} Content {:4f}".format(run, style_score.item(), content_score.item()))
    return input_img


content_img = torch.rand(1, 3, 24, 24)
style_img = (torch.arange(24) % 4 / 4).view(1, 1, 1, 24).expand(1, 3, 24, 24).contiguous()
out = run_style_transfer(content_img, style_img)
print(out.mean())
