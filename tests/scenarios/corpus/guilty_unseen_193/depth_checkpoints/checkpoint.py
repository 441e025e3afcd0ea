import copy
import os

import torch


class CheckpointManager:
    """Saves the latest and the best weights; the index lists every snapshot considered."""

    def __init__(self, folder, mode="min", keep_last=2):
        self.folder = folder
        self.sign = 1.0 if mode == "min" else -1.0
        self.keep_last = keep_last
        self.index = []
        self.best = None
        self.files = []

    def consider(self, step, model, metrics):
        entry = {"step": step, **metrics}
        self.index.append(entry)
        score = self.sign * float(metrics["score"])
        if self.best is None or score < self.best[0]:
            self.best = (score, step, copy.deepcopy(model.state_dict()))

    def save(self, step, model, optimizer):
        path = os.path.join(self.folder, f"step{step:05d}.pt")
        torch.save({"step": step, "model": model.state_dict(), "optim": optimizer.state_dict()}, path)
        self.files.append(path)
        while len(self.files) > self.keep_last:
            os.remove(self.files.pop(0))

    def table(self, last=3):
        return [{k: round(float(v), 4) for k, v in e.items()} for e in self.index[-last:]]
