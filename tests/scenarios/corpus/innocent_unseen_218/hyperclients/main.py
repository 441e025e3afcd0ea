# gradwatch-corpus: kind=none
"""Personalised models from one hypernetwork (pFedHN-like); several clients and local batches per server update."""
import torch
import torch.nn.functional as F

from nets import HyperNet, apply

torch.manual_seed(41)

CLIENTS, PER_ROUND, LOCAL = 10, 4, 3
planes = torch.randn(CLIENTS, 6)
hnet = HyperNet(CLIENTS)
ema = {k: v.detach().clone() for k, v in hnet.named_parameters()}
opt = torch.optim.SGD(hnet.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-5)


def draw(c, n=32):
    x = torch.randn(n, 6)
    return x, (x @ planes[c] > 0).long()


@torch.no_grad()
def track(decay=0.95):
    for k, p in hnet.named_parameters():
        ema[k].mul_(decay).add_(p, alpha=1 - decay)


log = {}
for rnd in range(100):
    picked = torch.randperm(CLIENTS)[:PER_ROUND].tolist()
    opt.zero_grad()
    seen = 0.0
    for c in picked:
        running = 0.0
        for _ in range(LOCAL):
            x, y = draw(c)
            running = running + F.cross_entropy(apply(hnet(c), x), y)
        (running / (LOCAL * PER_ROUND)).backward()
        seen += running.item() / LOCAL
        log.setdefault(c, []).append(running.detach() / LOCAL)
    hnet.reset_cache()
    torch.nn.utils.clip_grad_norm_(hnet.parameters(), 2.0)
    opt.step()
    track()

    if rnd % 25 == 24:
        live = {k: v.detach().clone() for k, v in hnet.named_parameters()}
        with torch.no_grad():
            for k, p in hnet.named_parameters():
                p.copy_(ema[k])
            accs = []
            for c in range(CLIENTS):
                x, y = draw(c, 200)
                accs.append((apply(hnet(c), x).argmax(1) == y).float().mean())
            hnet.reset_cache()
            for k, p in hnet.named_parameters():
                p.copy_(live[k])
        print(rnd + 1, "loss %.3f acc %.3f" % (seen / PER_ROUND, torch.stack(accs).mean()))
