# gradwatch-corpus: kind=none
"""Sequence tagger with per-length metrics."""
import torch
import torch.nn.functional as F

from model import Tagger, make_batch
from registry import MetricRegistry


class Loop:
    def __init__(self, steps, seed):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.steps = steps
        self.model = Tagger()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)

    def step(self):
        tokens, tags = make_batch(self.gen)
        logits, _ = self.model(tokens)
        token_loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten(), reduction="none")
        loss = token_loss.mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        length = tokens.shape[1]
        MetricRegistry.report("loss", length, loss)
        MetricRegistry.report("max_token_loss", length, token_loss.max())

    def run(self):
        for i in range(1, self.steps + 1):
            self.step()
            if i % 100 == 0:
                for name in ("loss", "max_token_loss"):
                    cells = " ".join(f"<={b}:{v:.2f}" for b, v in MetricRegistry.read(name).items())
                    print(i, name, cells)


if __name__ == "__main__":
    Loop(steps=400, seed=13).run()
