import torch

from memo import RecentMemo


class Report:
    def __init__(self):
        self.memo = RecentMemo(limit=16)
        self.n = 0

    def note(self, per_residue):
        self.memo.put(("batch", self.n), per_residue)  # <- culprit
        self.n += 1

    def line(self):
        last = torch.stack(self.memo.recent())
        return (f"loss {last.mean().item():.4f}  hardest position "
                f"{last.mean(0).argmax().item()}  spread {last.std().item():.4f}")
