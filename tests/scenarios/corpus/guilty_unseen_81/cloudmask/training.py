# [cells 8-11]
import torch
import torch.nn.functional as F

_opts = {}


def optimiser_for(net, lr):
    if id(net) not in _opts:
        _opts[id(net)] = torch.optim.Adam(net.parameters(), lr=lr)
    return _opts[id(net)]


def dice(logits, mask, eps=1.0):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


def one_pass(net, archive, cfg):
    net.train()
    opt = optimiser_for(net, cfg["lr"])
    seen, acc = 0, 0.0
    for x, mask in archive.shuffled(cfg["batch"]):
        out = net(x)
        objective = F.binary_cross_entropy_with_logits(out, mask) + 0.5 * dice(out, mask)
        opt.zero_grad()
        objective.backward()
        opt.step()
        acc += objective.item() * len(x)
        seen += len(x)
    return acc / seen


@torch.no_grad()
def validate(net, pair):
    net.eval()
    x, mask = pair
    guess = net(x) > 0
    truth = mask > 0.5
    return ((guess & truth).sum() / (guess | truth).sum()).item()
