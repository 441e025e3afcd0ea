# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
import argparse

import torch

from byol import BYOL


class Views:
    def __init__(self, n=512, dim=20, classes=6):
        self.y = torch.randint(classes, (n,))
        self.x = torch.randn(classes, dim)[self.y] * 2 + torch.randn(n, dim) * 0.5

    def augment(self, x):
        keep = (torch.rand_like(x) > 0.2).float()
        return x * keep + 0.1 * torch.randn_like(x)

    def batches(self, size):
        for idx in torch.randperm(len(self.x)).split(size):
            yield self.augment(self.x[idx]), self.augment(self.x[idx])


@torch.no_grad()
def knn_accuracy(model, data):
    z = torch.nn.functional.normalize(model.student(data.x), dim=-1)
    sim = z @ z.T
    sim.fill_diagonal_(-1)
    return (data.y[sim.argmax(1)] == data.y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--bs", type=int, default=64)
    args = ap.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    data = Views()
    model = BYOL(data.x.shape[1])
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for ep in range(args.epochs):
        tot = 0.0
        for a, b in data.batches(args.bs):
            loss = model(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        print(ep, round(tot / 8, 4), "knn", knn_accuracy(model, data))


if __name__ == "__main__":
    main()
