# gradwatch-corpus: kind=none
import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn

torch.set_num_threads(1)

SWA_START = 80
KEEP = 8


def two_arcs(n, gen):
    t = torch.rand(n, generator=gen) * torch.pi
    y = torch.randint(0, 2, (n,), generator=gen)
    s = 1.0 - 2.0 * y
    x = torch.stack([t.cos() + 0.5 * y, s * t.sin() + 0.25 * y], 1)
    return x + 0.15 * torch.randn(n, 2, generator=gen), y


def average(dicts):
    out = {}
    for k in dicts[0]:
        vals = torch.stack([d[k].float() for d in dicts])
        out[k] = vals.mean(0).to(dicts[0][k].dtype)
    return out


@torch.no_grad()
def evaluate(m, x, y):
    m.eval()
    acc = (m(x).argmax(1) == y).float().mean().item()
    m.train()
    return acc


def main():
    gen = torch.Generator().manual_seed(33)
    torch.manual_seed(33)
    xtr, ytr = two_arcs(600, gen)
    xva, yva = two_arcs(400, gen)
    net = nn.Sequential(nn.Linear(2, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(),
                        nn.Linear(128, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    swa_model = AveragedModel(net)
    swa_sched = SWALR(opt, swa_lr=0.03, anneal_epochs=5)
    last = deque(maxlen=KEEP)
    best_acc, best_state = 0.0, None
    hist = {"loss": [], "acc": []}
    ema = None

    for it in range(200):
        idx = torch.randint(0, len(xtr), (40,))
        loss = F.cross_entropy(net(xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.detach()
        ema = value if ema is None else 0.95 * ema + 0.05 * value
        hist["loss"].append(value)
        last.append(copy.deepcopy(net.state_dict()))
        if it >= SWA_START:
            swa_model.update_parameters(net)
            swa_sched.step()
        if it % 10 == 9:
            acc = evaluate(net, xva, yva)
            hist["acc"].append(acc)
            if acc > best_acc:
                best_acc, best_state = acc, copy.deepcopy(net.state_dict())
        if it % 50 == 0:
            print(f"{it:4d} ema {ema.item():.4f} best {best_acc:.3f}")

    update_bn([(xtr,)], swa_model)
    tail = copy.deepcopy(net)
    tail.load_state_dict(average(list(last)))
    print("swa", evaluate(swa_model, xva, yva), "tail", evaluate(tail, xva, yva), "best", best_acc)
    net.load_state_dict(best_state)


if __name__ == "__main__":
    main()
