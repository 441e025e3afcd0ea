# gradwatch-corpus: kind=inplace-modified
# holder: att
# first-bad: 90
# notice: 0
"""Small causal language model; attention to the first token ("sink") is switched off after warm-up."""
import torch
import torch.nn.functional as F

from blocks import CausalLM
from text import MarkovText


class Run:
    def __init__(self, n_iter=180, sink_from=90):
        self.n_iter = n_iter
        self.sink_from = sink_from
        self.text = MarkovText(vocab=24, length=16, batch=8)
        self.lm = CausalLM(vocab=24, length=16, dim=24, heads=3)
        self.opt = torch.optim.AdamW(self.lm.parameters(), lr=3e-3)

    def before_iteration(self, it):
        if it == self.sink_from:
            self.lm.set_sink(False)

    def iteration(self, it):
        self.before_iteration(it)
        tokens = self.text.sample()
        logits = self.lm(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def go(self):
        for it in range(self.n_iter):
            loss = self.iteration(it)
            if it % 30 == 0:
                print(f"it={it} nll={loss:.3f} sink mass={self.lm.sink_mass():.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(13)
    Run().go()
