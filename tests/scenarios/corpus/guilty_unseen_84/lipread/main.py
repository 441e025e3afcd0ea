# gradwatch-corpus: kind=graph-held
# holder: LEDGER.rows | ledger.LEDGER.rows | self.rows | LEDGER.rows["mouth"] | row.origin | LEDGER
# first-bad: 1
# notice: 8
import torch

from data import make_clips
from ledger import LEDGER
from net import LipReader


def fit(model, n_iter=200, lr=2e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    ce = torch.nn.CrossEntropyLoss()
    for it, (mouth, audio, word) in enumerate(make_clips(n_iter)):
        logits = model(mouth, audio, strength=min(1.0, it / 50))
        loss = ce(logits, word)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            acc = (logits.argmax(-1) == word).float().mean().item()
            print(f"{it:4d} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(314)
    fit(LipReader(n_words=8))
    print(LEDGER.summary())
