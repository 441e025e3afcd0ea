import torch
import torch.nn.functional as F


def train_one(net, opt, data):
    sig, label = data
    pick = torch.randint(0, len(label), (16,))
    net.train()
    out = net(sig[pick])
    opt.zero_grad()
    F.cross_entropy(out, label[pick]).backward()
    opt.step()


def validate(net, data):
    sig, label = data
    net.eval()
    losses = []
    for s, l in zip(sig.split(20), label.split(20)):
        losses.append(F.cross_entropy(net(s), l))
    return torch.stack(losses).mean()  # <- culprit
