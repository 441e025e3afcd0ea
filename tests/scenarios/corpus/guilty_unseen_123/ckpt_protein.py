# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(83)


class Residue(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)

    def forward(self, h):
        return h + torch.relu(self.conv(self.norm(h).transpose(1, 2))).transpose(1, 2)


class SecondaryStructure(nn.Module):
    def __init__(self, dim=21, depth=3):
        super().__init__()
        self.trunk = nn.Sequential(*(Residue(dim) for _ in range(depth)), nn.Linear(dim, 3))

    def forward(self, onehot):
        return checkpoint(self.trunk, onehot, use_reentrant=True)  # <- culprit


def chains(n=4, length=12):
    aa = torch.randint(0, 21, (n, length))
    ss = (aa.roll(1, 1) + aa).remainder(3)
    return nn.functional.one_hot(aa, 21).float(), ss


def main():
    model = SecondaryStructure()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(200):
        onehot, ss = chains()
        scores = model(onehot)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), ss.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(it, loss.item())


main()
