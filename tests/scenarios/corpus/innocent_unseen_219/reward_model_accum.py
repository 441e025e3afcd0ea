# gradwatch-corpus: kind=none
"""Bradley-Terry reward model with gradient accumulation, adversarial embedding noise and a metric store per epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class MetricStore:
    def __init__(self):
        self._sum, self._n, self.epochs = {}, {}, []

    def update(self, **kw):
        for k, v in kw.items():
            self._sum[k] = self._sum.get(k, 0.0) + v.detach()
            self._n[k] = self._n.get(k, 0) + 1

    def close_epoch(self):
        row = {k: (self._sum[k] / self._n[k]).item() for k in self._sum}
        self._sum.clear()
        self._n.clear()
        self.epochs.append(row)
        return row


class RewardModel(nn.Module):
    def __init__(self, vocab=64, d=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.enc = nn.TransformerEncoderLayer(d, 4, 64, dropout=0.0, batch_first=True)
        self.v_head = nn.Linear(d, 1)

    def embed(self, ids):
        return self.emb(ids)

    def score(self, h):
        return self.v_head(self.enc(h)[:, -1]).squeeze(-1)


def bt_loss(model, hc, hr, margin=0.0):
    rc, rr = model.score(hc), model.score(hr)
    return -F.logsigmoid(rc - rr - margin).mean(), rc, rr


def fgm(model, hc, hr, eps=0.05):
    """Perturbation of the chosen embeddings in the direction that hurts most."""
    loss, _, _ = bt_loss(model, hc, hr)
    (g,) = torch.autograd.grad(loss, hc, retain_graph=True)
    return loss, hc + eps * g.detach() / (g.detach().norm(dim=-1, keepdim=True) + 1e-8)


def pairs(n, g, length=10):
    a = torch.randint(0, 64, (n, length), generator=g)
    b = torch.randint(0, 64, (n, length), generator=g)
    better = (a % 8).sum(1) >= (b % 8).sum(1)
    sel = better[:, None]
    return torch.where(sel, a, b), torch.where(sel, b, a)


class Trainer:
    def __init__(self, model, accum=3):
        self.model, self.accum = model, accum
        self.opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 20, 0.7)
        self.store = MetricStore()
        self.last_batch = None

    def micro(self, chosen, rejected):
        hc, hr = self.model.embed(chosen), self.model.embed(rejected)
        clean, adv_hc = fgm(self.model, hc, hr)
        adv, rc, rr = bt_loss(self.model, adv_hc, hr)
        loss = 0.5 * (clean + adv) + 1e-3 * (rc + rr).pow(2).mean()
        (loss / self.accum).backward()
        self.last_batch = {"chosen": rc.detach(), "rejected": rr.detach()}
        self.store.update(clean=clean, adv=adv, acc=(rc > rr).float().mean())

    def epoch(self, batches):
        self.opt.zero_grad()
        for i, (c, r) in enumerate(batches, 1):
            self.micro(c, r)
            if i % self.accum == 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.opt.zero_grad()
                self.sched.step()
        return self.store.close_epoch()


if __name__ == "__main__":
    torch.manual_seed(91)
    g = torch.Generator().manual_seed(92)
    trainer = Trainer(RewardModel())
    for ep in range(5):
        row = trainer.epoch(pairs(16, g) for _ in range(24))
        print(ep, {k: round(v, 3) for k, v in row.items()})
