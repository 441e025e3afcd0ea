# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(73)

from scanner import acquire, slices
from unrolled import Unrolled


class Job:
    slices_per_update = 2
    updates = 410

    def __init__(self):
        self.model = Unrolled(cascades=2)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.pending = []

    def push(self, target):
        kspace, mask = acquire(target)
        recon = self.model(kspace, mask)
        self.pending.append((recon - target).abs().mean() + 0.5 * (recon - target).pow(2).mean())
        if len(self.pending) == self.slices_per_update:
            return self.flush()
        return None

    def flush(self):
        total = 0
        for part in self.pending:
            total = total + part
        total = total / len(self.pending)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.pending = []
        return total.item()

    def run(self):
        done, smooth = 0, None
        for target in slices():
            value = self.push(target)
            if value is None:
                continue
            done += 1
            smooth = value if smooth is None else 0.97 * smooth + 0.03 * value
            if done % 100 == 0:
                print(f"update {done}: {smooth:.4f}")
            if done == self.updates:
                break


Job().run()
