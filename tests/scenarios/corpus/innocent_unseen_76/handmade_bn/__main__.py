# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn.functional as F

from .data import two_spirals
from .net import SpiralNet

torch.set_num_threads(1)


def evaluate(net, x, y, sink):
    net.eval()
    with torch.no_grad():
        out = net(x)
    net.train()
    sink["logits"].append(out)
    sink["labels"].append(y)
    return (out.argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=250)
    ap.add_argument("--bs", type=int, default=64)
    a = ap.parse_args()
    torch.manual_seed(8)
    x, y = two_spirals(400)
    xv, yv = two_spirals(200)
    net = SpiralNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sink = {"logits": [], "labels": []}
    best = None
    for i in range(a.iters):
        pick = torch.randint(0, len(y), (a.bs,))
        loss = F.cross_entropy(net(x[pick]), y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        best = loss.detach() if best is None else torch.minimum(best, loss.detach())
        if (i + 1) % 25 == 0:
            acc = evaluate(net, xv, yv, sink)
            print(f"{i + 1:4d} loss {loss.item():.3f} best {best.item():.3f} val acc {acc:.3f}")
    pred = torch.cat(sink["logits"]).argmax(1)
    true = torch.cat(sink["labels"])
    print(torch.bincount(true * 2 + pred, minlength=4).view(2, 2).tolist())
