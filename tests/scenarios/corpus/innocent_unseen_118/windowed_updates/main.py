# gradwatch-corpus: kind=none
import torch
from torch import nn

from gather import gather_outputs
from windows import WindowedBackward

torch.set_num_threads(1)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(2, 8, 5), nn.ReLU(), nn.Conv1d(8, 8, 5, stride=2), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool1d(2)
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.pool(self.features(x)).flatten(1))


def vibration(n=4, length=48):
    kind = torch.randint(3, (n,))
    t = torch.arange(length) / length
    f = torch.tensor([3.0, 7.0, 12.0])[kind].view(n, 1)
    wave = torch.sin(6.283 * f * t + torch.rand(n, 1) * 6.28)
    return torch.stack([wave, wave.roll(3, 1)], 1) + 0.5 * torch.randn(n, 2, length), kind


def main(updates=320, window=4):
    torch.manual_seed(6)
    net = Classifier()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    acc = WindowedBackward(opt, size=window)
    sparsity = []
    micro = 0
    while acc.updates < updates:
        with gather_outputs(net, (nn.Conv1d, nn.AdaptiveAvgPool1d)) as outs:
            for _ in range(window):
                x, kind = vibration()
                acc.add(nn.functional.cross_entropy(net(x), kind), tag=("bearing", "gear")[micro % 2])
                micro += 1
            sparsity.append({name: sum((o <= 0).float().mean().item() for o in os) / len(os) for name, os in outs.items()})
        if acc.updates % 80 == 0:
            print(acc.updates, f"loss {sum(acc.means[-80:]) / 80:.4f}", {k: round(v, 3) for k, v in sparsity[-1].items()})


if __name__ == "__main__":
    main()
