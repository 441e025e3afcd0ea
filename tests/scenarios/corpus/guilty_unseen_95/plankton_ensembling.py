# gradwatch-corpus: kind=graph-chain
# holder: self.Z | targets.Z | ens.Z | self.ens.Z
# first-bad: 101
# notice: 5
"""Semi-supervised plankton classification on fixed image descriptors.

A linear softmax probe with temporal ensembling (Laine & Aila): every sample keeps a
running average of its predictions and unlabelled samples are pulled towards it.
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

N, D, C = 240, 40, 5
N_LABELLED = 40
BATCH = 24
EPOCHS = 36
RAMP_START = 10          # epochs with labels only


def set_seed(s):
    random.seed(s)
    torch.manual_seed(s)


def make_descriptors():
    centres = torch.randn(C, D) * 0.4
    y = torch.randint(0, C, (N,))
    x = centres[y] + torch.randn(N, D)
    labelled = torch.zeros(N, dtype=torch.bool)
    labelled[torch.randperm(N)[:N_LABELLED]] = True
    return x, y, labelled


class EnsembleTargets:
    def __init__(self, n, c, alpha=0.6):
        self.alpha = alpha
        self.Z = torch.full((n, c), 1.0 / c)

    def update(self, idx, prob):
        mixed = self.alpha * self.Z[idx] + (1 - self.alpha) * prob  # <- culprit
        Z = self.Z.clone()
        Z[idx] = mixed
        self.Z = Z  # <- culprit

    def get(self, idx):
        return self.Z[idx]


def ramp(epoch):
    if epoch < RAMP_START:
        return 0.0
    t = min(1.0, (epoch - RAMP_START) / 15)
    return 3.0 * math.exp(-5 * (1 - t) ** 2)


def augment(x):
    return x + 0.15 * torch.randn_like(x)


def run_epoch(epoch, net, opt, ens, data):
    x, y, labelled = data
    w = ramp(epoch)
    sup_sum = con_sum = 0.0
    for idx in torch.randperm(N).split(BATCH):
        logits = net(augment(x[idx]))
        m = labelled[idx]
        sup = F.cross_entropy(logits[m], y[idx][m]) if m.any() else logits.sum() * 0
        loss = sup
        if w > 0:
            prob = logits.softmax(1)
            con = F.mse_loss(prob, ens.get(idx))
            loss = loss + w * con
            con_sum += con.item()
        opt.zero_grad()
        loss.backward(retain_graph=w > 0)
        opt.step()
        if w > 0:
            ens.update(idx, prob)  # <- culprit
        sup_sum += sup.item()
    return sup_sum, con_sum


def accuracy(net, x, y, mask):
    with torch.no_grad():
        return (net(x[mask]).argmax(1) == y[mask]).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    set_seed(5)
    data = make_descriptors()
    net = nn.Linear(D, C)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    ens = EnsembleTargets(N, C)
    for epoch in range(EPOCHS):
        s, c = run_epoch(epoch, net, opt, ens, data)
        if epoch % 6 == 0:
            acc = accuracy(net, data[0], data[1], ~data[2])
            print(f"epoch {epoch:2d}  sup {s:.3f}  con {c:.4f}  unlabelled acc {acc:.3f}")
