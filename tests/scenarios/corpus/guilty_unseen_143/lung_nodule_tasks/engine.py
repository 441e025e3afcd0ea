import torch
import torch.nn as nn
import torch.nn.functional as F


class NoduleModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv3d(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(3 * 64, 12), nn.ReLU())
        self.heads = nn.ModuleDict({
            "malignancy": nn.Linear(12, 1),
            "diameter": nn.Linear(12, 1),
            "texture": nn.Linear(12, 4),
        })


def losses(model, batch):
    z = model.enc(batch["cube"])
    yield "malignancy", F.binary_cross_entropy_with_logits(model.heads["malignancy"](z)[:, 0], batch["malignancy"])
    yield "diameter", F.l1_loss(model.heads["diameter"](z)[:, 0], batch["diameter"])
    yield "texture", F.cross_entropy(model.heads["texture"](z), batch["texture"])


def train_on(model, opt, batch):
    opt.zero_grad()
    report = {}
    for task, value in losses(model, batch):
        value.backward()  # <- culprit
        report[task] = round(value.item(), 3)
    opt.step()
    return report
