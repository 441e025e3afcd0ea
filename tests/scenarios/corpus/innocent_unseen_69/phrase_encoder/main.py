# gradwatch-corpus: kind=none
"""Masked-word model over made-up phrases, with masks and residuals worked in place."""
import torch
from torch.nn import functional as F

from layers import PhraseModel
from phrases import PAD, mask_out, phrases


def invalidate_tables(model):
    def hook(optimizer, args, kwargs):
        for table in model.tables():
            table.clear()
    return hook


class Pretraining:
    def __init__(self, model, lr=3e-3, accumulate=2):
        self.model = model
        self.accumulate = accumulate
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.opt.register_step_post_hook(invalidate_tables(model))
        self.running = None

    def loss(self, words):
        shown, hidden = mask_out(words)
        logits = self.model(shown, shown.eq(PAD))
        return F.cross_entropy(logits[hidden], words[hidden])

    def step(self, batches):
        # the micro batches share the bias tables, so they are walked together
        total = sum(self.loss(words) for words in batches) / len(batches)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.model.retie()
        value = total.item()
        self.running = value if self.running is None else 0.95 * self.running + 0.05 * value

    def run(self, steps):
        for k in range(steps):
            self.step([phrases(12) for _ in range(self.accumulate)])
            if k % 40 == 39:
                print(f"{k + 1:4d} {self.running:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(12)
    Pretraining(PhraseModel()).run(160)
