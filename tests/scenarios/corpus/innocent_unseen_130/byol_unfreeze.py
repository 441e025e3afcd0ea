# gradwatch-corpus: kind=none
import copy
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(16, 32)
        self.deep = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 12))
        self.thrifty = False

    def forward(self, x):
        h = F.relu(self.stem(x))
        if self.thrifty:
            return checkpoint(self.deep, h, use_reentrant=False)
        return self.deep(h)


@torch.no_grad()
def drift(slow, fast, m):
    for a, b in zip(slow.parameters(), fast.parameters()):
        a.mul_(m).add_(b, alpha=1 - m)


@torch.no_grad()
def collapse_check(net):
    return F.normalize(net(torch.randn(64, 16)), dim=-1).std(0).mean().item()


def main():
    torch.manual_seed(50)
    online = Encoder()
    predictor = nn.Linear(12, 12)
    target = copy.deepcopy(online).requires_grad_(False)
    opt = torch.optim.AdamW([*online.parameters(), *predictor.parameters()], 2e-3)
    bank = []
    for stage, (freeze_stem, thrifty) in enumerate([(False, False), (True, True), (False, True), (True, False)]):
        online.stem.requires_grad_(not freeze_stem)
        online.thrifty = thrifty
        for i in range(200):
            x = torch.randn(24, 16) * torch.linspace(2, 0.1, 16)
            v1, v2 = (x + 0.2 * torch.randn_like(x) for _ in range(2))
            with torch.no_grad():
                z1, z2 = target(v1), target(v2)
            p1, p2 = predictor(online(v1)), predictor(online(v2))
            loss = 2 - F.cosine_similarity(p1, z2).mean() - F.cosine_similarity(p2, z1).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            drift(target, online, 0.98)
            bank.append(p1)
            if len(bank) == 8:
                print(stage, i, torch.cat(bank).std().item()) if i % 96 == 0 else None
                bank = []
        print("stage", stage, loss.item(), collapse_check(online))


if __name__ == "__main__":
    main()
