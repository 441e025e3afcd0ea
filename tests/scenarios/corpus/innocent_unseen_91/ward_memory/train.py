from collections import deque

import torch
from torch import nn


def handover(net, ward, rounds=6):
    """Scoring at the end of the shift, on fresh rounds."""
    scores, labels = [], []
    net.eval()
    with torch.no_grad():
        for _ in range(rounds):
            ids, vitals, label = ward.round()
            scores.append(net(ids, vitals))
            labels.append(label)
    net.train()
    s, l = torch.cat(scores), torch.cat(labels)
    pos, neg = s[l == 1], s[l == 0]
    return (pos[:, None] > neg[None]).float().mean().item() if len(pos) and len(neg) else float("nan")


def train(net, ward, shifts, rounds):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    bce = nn.BCEWithLogitsLoss()
    recent = deque(maxlen=20)
    shift_log = {}
    for shift in range(shifts):
        net.memory.clear()
        for _ in range(rounds):
            ids, vitals, label = ward.round()
            loss = bce(net(ids, vitals), label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            recent.append(loss)
        shift_log[shift] = {"loss": sum(v.item() for v in recent) / len(recent),
                            "misses": net.memory.misses, "auc": handover(net, ward)}
        print(f"shift {shift} " + " ".join(f"{k} {v:.3f}" for k, v in shift_log[shift].items()))
