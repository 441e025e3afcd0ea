# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Unit-norm class prototypes with a consistency term between two augmented views."""
import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS = 120
RAMP_START = 20


class CosinePrototypes(nn.Module):
    def __init__(self, dim, classes, temp=0.2):
        super().__init__()
        self.proto = nn.Parameter(torch.randn(classes, dim))
        self.temp = temp

    @torch.no_grad()
    def renormalise(self):
        self.proto.div_(self.proto.norm(dim=1, keepdim=True))  # <- culprit

    def forward(self, z):
        self.renormalise()  # <- culprit
        z = F.normalize(z, dim=-1)
        return F.linear(z, self.proto) / self.temp


class Net(nn.Module):
    def __init__(self, n_in, dim, classes):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 48), nn.ReLU(), nn.Linear(48, dim))
        self.head = CosinePrototypes(dim, classes)

    def forward(self, x):
        return self.head(self.trunk(x))


def augment(x):
    gain = 1 + 0.1 * torch.randn(len(x), 1)
    return gain * x + 0.2 * torch.randn_like(x)


def consistency(logits_a, logits_b):
    p = F.softmax(logits_a.detach(), -1)
    return F.kl_div(F.log_softmax(logits_b, -1), p, reduction="batchmean")


def blobs(n, n_in=10, classes=5):
    centres = 1.5 * torch.randn(classes, n_in)
    y = torch.randint(0, classes, (n,))
    return centres[y] + torch.randn(n, n_in), y


def step_loss(net, xb, yb, it):
    view = augment(xb)
    logits = net(view)
    loss = F.cross_entropy(logits, yb)
    if it >= RAMP_START:
        ramp = min(1.0, (it - RAMP_START + 1) / 40)
        loss = loss + ramp * consistency(logits, net(augment(xb)))
    return loss, logits


def main():
    torch.manual_seed(9)
    x, y = blobs(800)
    net = Net(10, 16, 5)
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    for it in range(STEPS):
        idx = torch.randint(0, len(x), (64,))
        loss, logits = step_loss(net, x[idx], y[idx], it)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        if it % 15 == 0:
            acc = (logits.argmax(-1) == y[idx]).float().mean().item()
            print(f"it {it:3d} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
