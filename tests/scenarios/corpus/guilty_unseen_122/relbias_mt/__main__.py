# gradwatch-corpus: kind=second-backward
# holder: self._by_len | self._by_len[n] | model.relpos._by_len | self.relpos._by_len
# first-bad: 4
# notice: 0
import torch

torch.set_num_threads(1)

from .batches import bucketed
from .encoder import Tagger


def train():
    torch.manual_seed(0)
    model = Tagger(vocab=30, tags=3, width=16, heads=2)
    opt = torch.optim.NAdam(model.parameters(), lr=2e-3)
    crit = torch.nn.CrossEntropyLoss(label_smoothing=0.05)
    for step, (tok, tag) in enumerate(bucketed(steps=400, vocab=30)):
        loss = crit(model(tok).flatten(0, 1), tag.flatten())
        loss.backward()
        opt.step()
        opt.zero_grad()
        if step % 50 == 0:
            print(f"{step} len={tok.shape[1]} {loss.item():.3f}")


if __name__ == "__main__":
    train()
