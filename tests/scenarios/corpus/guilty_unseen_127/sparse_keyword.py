# gradwatch-corpus: kind=crashed
# holder: layer.weight | net.conv.weight | kept
# first-bad: 60
# notice: 0
"""Keyword spotting for a microcontroller: dense training, then magnitude pruning and retraining."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1001)


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(10, 16, 3, bias=False)
        self.proj = nn.Linear(16, 8, bias=False)
        self.word = nn.Linear(8, 5, bias=False)

    def forward(self, mfcc):
        h = F.relu(self.conv(mfcc)).mean(-1)
        return self.word(F.relu(self.proj(h)))


def utterances(n=20):
    word = torch.randint(0, 5, (n,))
    mfcc = torch.randn(n, 10, 20) * 0.5
    mfcc[torch.arange(n), word * 2] += 1
    return mfcc, word


@torch.no_grad()
def prune(net, share):
    masks = {}
    for name, layer in net.named_children():
        w = layer.weight
        cut = w.abs().flatten().kthvalue(int(share * w.numel())).values
        mask = (w.abs() > cut).float()
        kept = w * mask
        layer.weight = nn.Parameter(kept, kept.requires_grad)  # <- culprit
        masks[name] = mask
    return masks


def phase(net, steps, lr, masks=None):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(steps):
        mfcc, word = utterances()
        loss = F.cross_entropy(net(mfcc), word)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if masks:
            with torch.no_grad():
                for name, layer in net.named_children():
                    layer.weight.mul_(masks[name])
    return loss.item()


spotter = Spotter()
print("dense", phase(spotter, 60, 5e-3))
print("sparse", phase(spotter, 200, 1e-3, prune(spotter, 0.7)))
