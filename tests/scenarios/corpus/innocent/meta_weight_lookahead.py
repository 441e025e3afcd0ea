# gradwatch-corpus: kind=none
# about: a net that weighs noisy samples, trained by a gradient through one look-ahead step of
# about: the classifier; three graphs an iteration, two optimizers, none of them kept
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch.func import functional_call


class WeightNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, losses):
        return self.net(losses.unsqueeze(1)).squeeze(1)


def per_sample(logits, y):
    return F.cross_entropy(logits, y, reduction="none")


def main():
    torch.manual_seed(0)
    x, y = classes(600)
    noisy = torch.where(torch.rand(600) < 0.3, torch.randint(0, 4, (600,)), y)
    stream, clean = batches(x, noisy, 32), batches(x[:64], y[:64], 16)
    model = nn.Sequential(nn.Linear(16, 24), nn.ReLU(), nn.Linear(24, 4))
    weigher = WeightNet()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    opt_w = torch.optim.Adam(weigher.parameters(), lr=1e-3)
    for it in range(ITERATIONS // 2):
        xb, yb = next(stream)
        params = dict(model.named_parameters())
        cost = per_sample(functional_call(model, params, (xb,)), yb)
        weighted = (weigher(cost.detach()) * cost).mean()
        grads = torch.autograd.grad(weighted, params.values(), create_graph=True)
        ahead = {n: p - 0.1 * g for (n, p), g in zip(params.items(), grads)}
        xv, yv = next(clean)
        meta_loss = F.cross_entropy(functional_call(model, ahead, (xv,)), yv)
        opt_w.zero_grad()
        meta_loss.backward()
        opt_w.step()

        cost = per_sample(model(xb), yb)
        with torch.no_grad():
            weights = weigher(cost)
        loss = (weights * cost).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 25 == 0:
            print(f"{it}: loss {loss.item():.6f} meta {meta_loss.item():.6f}")


if __name__ == "__main__":
    main()
