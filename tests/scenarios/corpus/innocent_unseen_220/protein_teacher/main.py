# gradwatch-corpus: kind=none
"""Residue-contact prediction with a consistency teacher and checkpointed blocks."""
from collections import deque

import torch
import torch.nn.functional as F

from network import ContactNet
from sequences import fold_batch
from sequences import mutate
from teacher import EmaTeacher


class Experiment:
    def __init__(self, seed=303, lr=1.5e-3, ramp=30):
        torch.manual_seed(seed)
        self.student = ContactNet(use_checkpoint=True)
        self.teacher = EmaTeacher(self.student, decay=0.95)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=lr)
        self.ramp = ramp
        self.snapshots = deque(maxlen=4)
        self.loss_ema = None
        self.teacher_maps = {}

    def track(self, loss):
        with torch.no_grad():
            if self.loss_ema is None:
                self.loss_ema = loss.clone()
            else:
                self.loss_ema.lerp_(loss, 0.1)

    def step(self, it):
        seq, contacts = fold_batch(12)
        weight = min(1.0, it / self.ramp)
        logits = self.student(mutate(seq, 0.1))
        soft = self.teacher(seq)
        supervised = F.binary_cross_entropy_with_logits(logits, contacts)
        agreement = F.mse_loss(torch.sigmoid(logits), soft)
        loss = supervised + weight * agreement
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.update(self.student)
        self.track(loss)
        self.teacher_maps[it] = soft.mean(dim=0)
        return supervised.item(), agreement.item()

    def end_epoch(self, epoch):
        state = {k: v.detach().clone() for k, v in self.student.state_dict().items()}
        self.snapshots.append((epoch, self.loss_ema.item(), state))
        spread = torch.stack(list(self.teacher_maps.values())).std(dim=0).mean()
        self.teacher_maps.clear()
        return spread.item()

    def soup(self):
        states = [state for _, _, state in self.snapshots]
        mixed = {k: torch.stack([s[k] for s in states]).mean(dim=0) for k in states[0]}
        self.student.load_state_dict(mixed)


def main(epochs=6, per_epoch=15):
    exp = Experiment()
    it = 0
    for epoch in range(epochs):
        for _ in range(per_epoch):
            sup, agree = exp.step(it)
            it += 1
        spread = exp.end_epoch(epoch)
        print(f"epoch {epoch} bce {sup:.4f} agree {agree:.5f} map spread {spread:.4f}")
    exp.soup()
    with torch.inference_mode():
        seq, contacts = fold_batch(64)
        score = ((exp.student(seq) > 0) == (contacts > 0.5)).float().mean()
    print(f"soup accuracy {score:.4f}")


if __name__ == "__main__":
    main()
