# gradwatch-corpus: kind=none
"""DeepSurv + auxiliary autoencoder, labels acquired in rounds by MC-dropout variance."""
import numpy as np
import torch
import torch.nn as nn

ROUNDS = 5
STEPS_PER_ROUND = 30
ACQUIRE = 60


def simulate(n, d, rng):
    x = rng.normal(size=(n, d)).astype(np.float32)
    risk = 0.8 * x[:, 0] - 0.6 * x[:, 1] ** 2 + 0.5 * x[:, 2] * x[:, 3]
    t = rng.exponential(np.exp(-risk))
    c = rng.exponential(2.0, size=n)
    return torch.from_numpy(x), torch.from_numpy(np.minimum(t, c).astype(np.float32)), torch.from_numpy((t <= c).astype(np.float32))


def cox_loss(log_h, time, event):
    order = torch.argsort(time, descending=True)
    log_h, event = log_h[order], event[order]
    return -((log_h - torch.logcumsumexp(log_h, 0)) * event).sum() / event.sum().clamp(min=1)


def c_index(risk, time, event):
    later = (time[None, :] > time[:, None]) & (event[:, None] > 0)
    conc = (risk[:, None] > risk[None, :]) & later
    return (conc.sum() / later.sum()).item()


class DeepSurvAE(nn.Module):
    def __init__(self, d, h=48, p=0.2):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.SELU(), nn.AlphaDropout(p), nn.Linear(h, h), nn.SELU())
        self.risk = nn.Linear(h, 1)
        self.dec = nn.Linear(h, d)


def grad_norm(params):
    return torch.sqrt(sum((p.grad ** 2).sum() for p in params if p.grad is not None)).item()


class ActiveSurvival:
    def __init__(self, x, time, event, n_init=200):
        self.x, self.time, self.event = x, time, event
        self.model = DeepSurvAE(x.shape[1])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=2e-3, weight_decay=1e-3)
        self.labelled = torch.zeros(len(x), dtype=torch.bool)
        self.labelled[torch.randperm(len(x))[:n_init]] = True
        self.score_cache = {}
        self.log = []

    def train_step(self):
        pool = torch.nonzero(self.labelled).flatten()
        idx = pool[torch.randint(0, len(pool), (96,))]
        z = self.model.enc(self.x[idx])
        surv = cox_loss(self.model.risk(z).squeeze(-1), self.time[idx], self.event[idx])
        rec = nn.functional.mse_loss(self.model.dec(z), self.x[idx])
        self.opt.zero_grad()
        surv.backward(retain_graph=True)
        g_surv = grad_norm(self.model.enc.parameters())
        (0.1 * rec).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.opt.step()
        self.log.append((surv.item(), rec.item(), g_surv))

    @torch.no_grad()
    def mc_scores(self, idx, passes=6):
        self.model.train()
        for chunk in idx.split(256):
            preds = torch.stack([self.model.risk(self.model.enc(self.x[chunk])).squeeze(-1) for _ in range(passes)])
            self.score_cache.update(zip(chunk.tolist(), preds.var(0)))
        return torch.stack([self.score_cache[i] for i in idx.tolist()])

    def acquire(self):
        idx = torch.nonzero(~self.labelled).flatten()
        top = self.mc_scores(idx).topk(min(ACQUIRE, len(idx))).indices
        self.labelled[idx[top]] = True
        self.score_cache.clear()

    @torch.no_grad()
    def evaluate(self, x, t, e):
        self.model.eval()
        risk = self.model.risk(self.model.enc(x)).squeeze(-1)
        self.model.train()
        return c_index(risk, t, e)


if __name__ == "__main__":
    torch.manual_seed(15)
    rng = np.random.default_rng(15)
    learner = ActiveSurvival(*simulate(1200, 12, rng))
    test = simulate(400, 12, rng)
    for r in range(ROUNDS):
        for _ in range(STEPS_PER_ROUND):
            learner.train_step()
        s = np.mean(learner.log[-STEPS_PER_ROUND:], axis=0)
        print("round %d labelled %d cox %.3f rec %.3f |g| %.3f c-index %.3f" % (
            r, int(learner.labelled.sum()), *s, learner.evaluate(*test)))
        learner.acquire()
