# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
# notice: 0
import torch
import torch.nn.functional as F

from sessions import SessionSampler
from sasrec import SASRec

torch.set_num_threads(1)
torch.manual_seed(44)


class Trainer:
    def __init__(self, n_items, max_len):
        self.sampler = SessionSampler(n_items, max_len, full_batches=12)
        self.model = SASRec(n_items + 1, max_len, dim=24)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def fit(self, steps):
        for step in range(steps):
            seq, nxt = self.sampler.batch(16)
            scores = self.model(seq)
            loss = F.cross_entropy(scores, nxt)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 5 == 0:
                hit = (scores.topk(10).indices == nxt[:, None]).any(1).float().mean()
                print(f"step {step} ce {loss.item():.3f} hit@10 {hit.item():.2f}")


if __name__ == "__main__":
    Trainer(n_items=80, max_len=12).fit(80)
