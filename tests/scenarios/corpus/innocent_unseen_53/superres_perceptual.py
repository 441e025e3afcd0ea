# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)

UPSCALE = 2
PATCH = 24


class FeatureExtractor(nn.Module):
    """stands in for the first layers of VGG, outputs are caught by hooks"""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(),
            nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU(),
        )
        for p in self.parameters():
            p.requires_grad_(False)
        self.features = {}
        for name in ("1", "3"):
            self.body[int(name)].register_forward_hook(self._save(name))

    def _save(self, name):
        def hook(module, inputs, output):
            self.features[name] = output
        return hook

    def forward(self, x):
        self.features.clear()
        self.body(x)
        feats = dict(self.features)
        self.features.clear()
        return feats


class ESPCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 24, 5, padding=2)
        self.conv2 = nn.Conv2d(24, 16, 3, padding=1)
        self.conv3 = nn.Conv2d(16, 3 * UPSCALE ** 2, 3, padding=1)
        self.shuffle = nn.PixelShuffle(UPSCALE)

    def forward(self, x):
        y = torch.tanh(self.conv1(x))
        y = torch.tanh(self.conv2(y))
        y = self.shuffle(self.conv3(y))
        y += F.interpolate(x, scale_factor=UPSCALE, mode="bilinear", align_corners=False)
        return y


class EMA:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.named_parameters()}

    def update(self, model):
        for k, v in model.named_parameters():
            self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v.detach()


def psnr(a, b):
    return 10 * torch.log10(1.0 / F.mse_loss(a, b))


def hr_patches(n):
    g = torch.linspace(0, 1, PATCH)
    f = 5 + 20 * torch.rand(n, 3, 1, 1)
    return 0.5 + 0.5 * torch.sin(f * g[None, :] + f.flip(1) * g[:, None])


net, vgg = ESPCN(), FeatureExtractor()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=50, gamma=0.5)
ema = EMA(net)
results = {"loss": [], "psnr": []}
best_psnr = torch.tensor(0.0)

for it in range(1, 121):
    hr = hr_patches(8)
    lr = F.avg_pool2d(hr, UPSCALE)
    sr = net(lr)
    with torch.no_grad():
        target_feats = vgg(hr)
    sr_feats = vgg(sr)
    pixel = F.l1_loss(sr, hr)
    perceptual = sum(F.mse_loss(sr_feats[k], target_feats[k]) for k in target_feats)
    loss = pixel + 0.1 * perceptual

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    ema.update(net)

    with torch.no_grad():
        score = psnr(sr.clamp(0, 1), hr)
    results["loss"].append(loss.detach().clone())
    results["psnr"].append(score)
    best_psnr = torch.maximum(best_psnr, score)
    if it % 20 == 0:
        print("[%3d] loss %.4f  psnr %.2f dB  best %.2f dB" % (
            it, torch.stack(results["loss"][-20:]).mean(), score, best_psnr))
