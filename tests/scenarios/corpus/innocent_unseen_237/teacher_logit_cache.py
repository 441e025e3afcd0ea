# gradwatch-corpus: kind=none
"""Distil an ensemble for cell typing; teacher logits are cached by cell id, student outputs per epoch for ECE."""
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(303)

N_CELLS = 1200
N_GENES = 60
N_TYPES = 5
EPOCHS = 5
BATCH = 50

teacher_cache = {}
epoch_out = {"logits": [], "labels": []}
summary = {"epoch": [], "loss": [], "ece": []}


def net(width):
    return nn.Sequential(nn.Linear(N_GENES, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, N_TYPES))


def make_cells():
    y = torch.randint(0, N_TYPES, (N_CELLS,))
    centres = torch.randn(N_TYPES, N_GENES) * 0.5
    return centres[y] + torch.randn(N_CELLS, N_GENES), y


def train_member(member, x, y, steps=40):
    opt = torch.optim.Adam(member.parameters(), lr=3e-3)
    for _ in range(steps):
        i = torch.randint(0, len(x), (128,))
        opt.zero_grad()
        F.cross_entropy(member(x[i]), y[i]).backward()
        opt.step()
    return member.eval()


@torch.no_grad()
def teacher_logits(ids, x):
    missing = [i for i in ids.tolist() if i not in teacher_cache]
    if missing:
        out = torch.stack([m(x[missing]) for m in ensemble]).mean(0)
        for i, row in zip(missing, out):
            teacher_cache[i] = row.clone()
    return torch.stack([teacher_cache[i] for i in ids.tolist()])


def ece(logits, labels, bins=10):
    conf, guess = logits.softmax(1).max(1)
    hit = (guess == labels).float()
    error = 0.0
    for b in range(bins):
        inside = (conf > b / bins) & (conf <= (b + 1) / bins)
        if inside.any():
            error += inside.float().mean().item() * (conf[inside].mean() - hit[inside].mean()).abs().item()
    return error


x, y = make_cells()
ensemble = [train_member(net(96), x, y) for _ in range(3)]
student = net(16)
opt = torch.optim.Adam(student.parameters(), lr=4e-3)

for epoch in range(EPOCHS):
    losses = []
    for ids in torch.randperm(N_CELLS).split(BATCH):
        logits = student(x[ids])
        target = teacher_logits(ids, x)
        loss = F.kl_div(logits.log_softmax(1), target.softmax(1), reduction="batchmean")
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        epoch_out["logits"].append(logits.detach())
        epoch_out["labels"].append(y[ids])
    summary["epoch"].append(epoch)
    summary["loss"].append(sum(losses) / len(losses))
    summary["ece"].append(ece(torch.cat(epoch_out["logits"]), torch.cat(epoch_out["labels"])))
    for v in epoch_out.values():
        v.clear()
    print(f"epoch {epoch} kd={summary['loss'][-1]:.4f} ece={summary['ece'][-1]:.3f} cached={len(teacher_cache)}")
