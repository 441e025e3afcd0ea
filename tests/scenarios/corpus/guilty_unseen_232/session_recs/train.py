import logging
import random

import torch
import torch.nn.functional as F

from model import PlainAdagrad

log = logging.getLogger("trainer")


class Trainer:
    def __init__(self, model, store, cfg):
        self.model = model
        self.store = store
        self.cfg = cfg
        self.rng = random.Random(cfg.seed)
        self.opt = PlainAdagrad(model.parameters(), cfg.lr)
        self.pref = torch.randint(0, cfg.n_items, (cfg.n_users,))

    def draw(self):
        users = self.rng.sample(range(self.cfg.n_users), self.cfg.batch_users)
        base = self.pref[users].unsqueeze(1)
        walk = torch.randint(0, 3, (len(users), self.cfg.clicks)).cumsum(1)
        return users, (base + walk) % self.cfg.n_items

    def train_step(self):
        users, clicks = self.draw()
        state = self.store.fetch(users)  # <- culprit
        logits, state = self.model(clicks, state)
        target = clicks[:, 1:]
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.store.commit(users, state)  # <- culprit
        top = logits.detach().topk(5, dim=-1).indices
        hit = (top == target.unsqueeze(-1)).any(-1).float().mean().item()
        return loss.item(), hit

    def fit(self):
        loss = 0.0
        hit = 0.0
        for step in range(self.cfg.steps):
            loss, hit = self.train_step()
            if step % self.cfg.log_every == 0:
                log.info("step %d loss %.4f hit5 %.3f coverage %.2f", step, loss, hit, self.store.coverage())
        return {"loss": loss, "hit5": hit}
