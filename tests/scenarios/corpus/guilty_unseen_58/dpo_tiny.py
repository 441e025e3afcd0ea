# gradwatch-corpus: kind=graph-held
# holder: self._stored_metrics | trainer._stored_metrics | self._stored_metrics["train"] | self._stored_metrics["train"]["rewards/margins"] | trainer._stored_metrics["train"]["rewards/margins"]
# first-bad: 1
"""DPO on a toy LM, stripped down from our fine-tuning trainer."""
import copy
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class DPOConfig:
    beta: float = 0.1
    lr: float = 1e-3
    max_steps: int = 100
    batch_size: int = 8
    label_smoothing: float = 0.0
    vocab: int = 30
    seq: int = 10


class ToyLM(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.lm_head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.lm_head(self.rnn(self.emb(ids))[0])


def sequence_logps(model, ids):
    logp = model(ids[:, :-1]).log_softmax(-1)
    return logp.gather(-1, ids[:, 1:, None]).squeeze(-1).sum(-1)


class DPOTrainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.ref_model = copy.deepcopy(model).requires_grad_(False).eval()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self._stored_metrics = defaultdict(lambda: defaultdict(list))

    def store_metrics(self, metrics, train_eval="train"):
        for key, value in metrics.items():
            self._stored_metrics[train_eval][key].append(value)  # <- culprit

    def dpo_loss(self, pi_w, pi_l, ref_w, ref_l):
        logits = (pi_w - pi_l) - (ref_w - ref_l)
        ls = self.cfg.label_smoothing
        losses = -F.logsigmoid(self.cfg.beta * logits) * (1 - ls) - F.logsigmoid(-self.cfg.beta * logits) * ls
        chosen_rewards = self.cfg.beta * (pi_w - ref_w)  # <- culprit
        rejected_rewards = self.cfg.beta * (pi_l - ref_l)  # <- culprit
        return losses, chosen_rewards, rejected_rewards  # <- culprit

    def compute_loss(self, batch):
        w, l = batch
        with torch.no_grad():
            ref_w, ref_l = sequence_logps(self.ref_model, w), sequence_logps(self.ref_model, l)
        losses, cr, rr = self.dpo_loss(sequence_logps(self.model, w), sequence_logps(self.model, l), ref_w, ref_l)
        self.store_metrics({
            "rewards/chosen": cr.mean().item(),
            "rewards/rejected": rr.mean().item(),
            "rewards/accuracies": (cr > rr).float().mean().item(),
            "rewards/margins": (cr - rr).mean(),  # <- culprit
        })
        return losses.mean()

    def train(self, batches):
        for step in range(self.cfg.max_steps):
            loss = self.compute_loss(next(batches))
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
        return {k: float(torch.as_tensor(v).mean()) for k, v in self._stored_metrics["train"].items()}


def preference_batches(cfg):
    while True:
        ids = torch.randint(0, cfg.vocab, (cfg.batch_size, cfg.seq))
        yield ids.sort(dim=1).values, ids


if __name__ == "__main__":
    torch.manual_seed(42)
    torch.set_num_threads(1)
    cfg = DPOConfig()
    trainer = DPOTrainer(ToyLM(cfg.vocab), cfg)
    print(trainer.train(preference_batches(cfg)))
