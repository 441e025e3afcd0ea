# gradwatch-corpus: kind=graph-chain
# holder: shadow | teacher.weights | self.weights | make_teacher.<locals>.shadow
# first-bad: 1
# notice: 5
"""Mean-teacher consistency training on bird call features."""
import torch
import torch.nn.functional as F
from torch import nn

from ema import make_teacher


class CallNet(nn.Module):
    def __init__(self, feats=24, classes=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(feats, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU())
        self.out = nn.Linear(32, classes)

    def forward(self, x):
        return self.out(self.trunk(x))


def augment(x, strength):
    keep = (torch.rand_like(x) > 0.1).float()
    return x * keep + strength * torch.randn_like(x)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    net = CallNet()
    predict, update = make_teacher(net, momentum=0.98)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    centers = torch.randn(5, 24)
    for step in range(80):
        y = torch.randint(0, 5, (32,))
        x = centers[y] + 0.8 * torch.randn(32, 24)
        unlab = centers[torch.randint(0, 5, (48,))] + 0.8 * torch.randn(48, 24)
        sup = F.cross_entropy(net(augment(x, 0.1)), y)
        goal = predict(augment(unlab, 0.05)).softmax(-1)  # <- culprit
        cons = F.mse_loss(net(augment(unlab, 0.3)).softmax(-1), goal)
        ramp = min(1.0, step / 30)
        loss = sup + ramp * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        update()  # <- culprit
        if step % 20 == 0:
            print(f"{step} sup {sup.item():.3f} cons {cons.item():.4f}")


if __name__ == "__main__":
    main()
