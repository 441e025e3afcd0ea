# gradwatch-corpus: kind=none
"""Audio tagging on mel patches, noisy labels, EMA teacher gives soft targets (multi-label)."""
import copy

import torch
from torch import nn

torch.set_num_threads(1)


class Tagger(nn.Module):
    def __init__(self, mels=8, tags=4):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, 16, 5), nn.BatchNorm1d(16), nn.ReLU(), nn.Conv1d(16, 16, 3), nn.ReLU())
        self.att = nn.Conv1d(16, tags, 1)
        self.cls = nn.Conv1d(16, tags, 1)

    def forward(self, x):
        h = self.conv(x)
        return (torch.softmax(self.att(h), -1) * self.cls(h)).sum(-1)


class ModelEMA:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(self.decay).add_(m, alpha=1 - self.decay)
            else:
                e.copy_(m)


class Clips:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.sig = torch.randn(4, 8, 1, generator=self.g)

    def batch(self, n, noise=0.15):
        y = (torch.rand(n, 4, generator=self.g) < 0.4).float()
        x = torch.einsum("nt,tmo->nmo", y, self.sig) + torch.randn(n, 8, 16, generator=self.g)
        flip = (torch.rand(n, 4, generator=self.g) < noise).float()
        return x, (y - flip).abs(), y


def main():
    torch.manual_seed(33)
    clips, net = Clips(3), Tagger()
    ema = ModelEMA(net, 0.97)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    bce = nn.BCEWithLogitsLoss()
    for it in range(520):
        x, noisy, clean = clips.batch(12)
        logits = net(x)
        soft = torch.sigmoid(ema.module(x))
        w = min(0.6, it / 400)
        loss = (1 - w) * bce(logits, noisy) + w * bce(logits, soft)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        ema.update(net)
        if it % 104 == 103:
            x, _, clean = clips.batch(200)
            acc = ((ema.module(x) > 0).float() == clean).float().mean()
            print(f"{it + 1}: loss {loss.item():.3f} ema tag acc {acc:.3f}")


if __name__ == "__main__":
    main()
