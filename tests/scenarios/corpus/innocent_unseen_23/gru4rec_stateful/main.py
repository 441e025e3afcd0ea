# gradwatch-corpus: kind=none
import torch

from data import SessionParallel
from model import GRU4Rec, bpr, top1_max

N_ITEMS = 800
BPTT = 4


class Trainer:
    def __init__(self, model, lr=0.01, alpha=0.5):
        self.model = model
        self.dense_opt = torch.optim.Adam(model.cell.parameters(), lr=lr)
        self.emb_opt = torch.optim.Adagrad(list(model.inp.parameters()) + list(model.out.parameters()), lr=0.05)
        self.alpha = alpha
        self.window_loss = 0.0
        self.history = []
        self.avg = None

    def step_optimizers(self):
        (self.window_loss / BPTT).backward()
        self.dense_opt.step()
        self.emb_opt.step()
        self.dense_opt.zero_grad()
        self.emb_opt.zero_grad()
        value = self.window_loss.detach() / BPTT
        self.avg = value if self.avg is None else 0.98 * self.avg + 0.02 * value
        self.history.append(self.avg)
        self.window_loss = 0.0

    def run_epoch(self, batches):
        h = self.model.zero_state(batches.lanes)
        for n, (ids, x, y, fresh) in enumerate(batches, 1):
            h = self.model(x, h, fresh)
            negatives = torch.randint(N_ITEMS, (200,))
            scores = self.model.scores(h, torch.cat([y, negatives]))
            loss = top1_max(scores) + self.alpha * bpr(scores)
            self.window_loss = self.window_loss + loss
            self.model.cache.put(ids, h)
            if n % BPTT == 0:
                self.step_optimizers()
                h = h.detach()
        self.window_loss = 0.0

    @torch.no_grad()
    def recall(self, batches, k=20, limit=60):
        hits = seen = 0
        h = self.model.zero_state(batches.lanes)
        for n, (_, x, y, fresh) in enumerate(batches):
            h = self.model(x, h, fresh)
            top = self.model.scores(h, torch.arange(N_ITEMS)).topk(k).indices
            hits += (top == y.unsqueeze(1)).any(1).sum().item()
            seen += len(y)
            if n == limit:
                break
        return hits / seen


if __name__ == "__main__":
    torch.manual_seed(0)
    train = SessionParallel(2400, N_ITEMS, lanes=64)
    valid = SessionParallel(500, N_ITEMS, lanes=64, seed=1)
    trainer = Trainer(GRU4Rec(N_ITEMS))
    for epoch in range(3):
        trainer.run_epoch(train)
        print("epoch %d loss %.4f recall@20 %.3f cached states %d updates %d" % (
            epoch, trainer.avg.item(), trainer.recall(valid), len(trainer.model.cache), len(trainer.history)))
