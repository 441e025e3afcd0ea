# gradwatch-corpus: kind=graph-held
# holder: self.rows[key] | ledger.rows["density"] | ledger.rows["count"] | ledger.rows
# first-bad: 1
# notice: 8
"""Counting pollen grains on slides with a small density-map network."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)


class Ledger:
    def __init__(self):
        self.rows = {}

    def post(self, **entries):
        for key, amount in entries.items():
            self.rows.setdefault(key, []).append(amount)  # <- culprit

    def recent(self, key, n=25):
        tail = self.rows[key][-n:]
        return sum(float(a) for a in tail) / len(tail)


class DensityNet(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
                                  nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.ReLU())
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, slide):
        return F.softplus(self.head(self.down(slide)))


def slides(n, side=14):
    truth = (torch.rand(n, 1, side, side) < 0.03).float()
    blur = torch.ones(1, 1, 3, 3) / 9
    density = F.conv2d(truth, blur, padding=1)
    image = density * 4 + 0.05 * torch.randn_like(density)
    return image, density


def train_on(net, opt, ledger, image, density):
    guess = net(image)
    per_pixel = F.mse_loss(guess, density)
    count = (guess.sum((1, 2, 3)) - density.sum((1, 2, 3))).abs().mean()
    objective = per_pixel * 50 + 0.01 * count
    opt.zero_grad()
    objective.backward()
    opt.step()
    ledger.post(density=per_pixel, count=count)


def main():
    net, ledger = DensityNet(), Ledger()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for it in range(320):
        train_on(net, opt, ledger, *slides(4))
        if it % 80 == 79:
            print(f"slide batch {it + 1}: density {ledger.recent('density'):.5f} count {ledger.recent('count'):.3f}")


if __name__ == "__main__":
    main()
