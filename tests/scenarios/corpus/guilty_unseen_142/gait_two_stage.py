# gradwatch-corpus: kind=crashed
# first-bad: 100
# notice: 0
"""Wearable-sensor gait model: autoencoding stage, then activity labels on a fixed trunk."""
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class GaitModel(nn.Module):
    def __init__(self, ch=6, hid=10, acts=4):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv1d(ch, hid, 5, padding=2), nn.GELU(), nn.Conv1d(hid, hid, 5, padding=2))
        self.recon = nn.Conv1d(hid, ch, 1)
        self.cls_head = nn.Sequential(nn.LayerNorm(hid), nn.Linear(hid, acts))

    def rebuild(self, x):
        return self.recon(F.gelu(self.trunk(x)))

    def classify(self, x):
        return self.cls_head(self.trunk(x).mean(-1))


def only_train(model, prefixes):
    for name, p in model.named_parameters():
        p.requires_grad_(any(name.startswith(pre) for pre in prefixes))  # <- culprit


STAGES = [
    dict(name="autoencode", train=["trunk", "recon"], steps=100, lr=3e-3),
    dict(name="classify", train=["head"], steps=200, lr=1e-3),  # <- culprit
]


def strides(n):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 6.28, 24)
    base = torch.sin(t[None, None] * (1 + y[:, None, None]) + torch.arange(6)[None, :, None])
    return base + 0.2 * torch.randn(n, 6, 24), y


def stage_loss(model, stage, x, y):
    if stage["name"] == "autoencode":
        return F.mse_loss(model.rebuild(x + 0.1 * torch.randn_like(x)), x)
    return F.cross_entropy(model.classify(x), y)


def main():
    torch.manual_seed(23)
    model = GaitModel()
    opt = torch.optim.Adam(model.parameters())
    for stage in STAGES:
        only_train(model, stage["train"])
        for group in opt.param_groups:
            group["lr"] = stage["lr"]
        for step in range(stage["steps"]):
            loss = stage_loss(model, stage, *strides(8))
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % 25 == 0:
                print(stage["name"], step, round(loss.item(), 4))


main()
