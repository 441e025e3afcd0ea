# gradwatch-corpus: kind=graph-unused
# first-bad: 0
import copy
from contextlib import contextmanager

import torch
from torch import nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self, vocab=50, d=40, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(64, d)
        enc = nn.TransformerEncoderLayer(d, 4, 96, dropout=0.0, batch_first=True, norm_first=True)
        self.tr = nn.TransformerEncoder(enc, layers, enable_nested_tensor=False)
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        T = ids.shape[1]
        mask = torch.full((T, T), float("-inf")).triu(1)
        return self.head(self.tr(self.emb(ids) + self.pos(torch.arange(T)), mask=mask))


@contextmanager
def eval_mode(m):
    was = m.training
    m.eval()
    try:
        yield m
    finally:
        m.train(was)


def sequence_logps(model, ids, prompt_len):
    logits = model(ids[:, :-1])
    lp = logits.log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return lp[:, prompt_len - 1:].sum(-1)


class DPOTrainer:
    def __init__(self, policy, beta=0.1, lr=5e-4):
        self.policy = policy
        self.ref = copy.deepcopy(policy)
        self.beta = beta
        self.opt = torch.optim.AdamW(policy.parameters(), lr=lr)

    def concatenated_forward(self, model, batch):
        ids = torch.cat([batch["chosen"], batch["rejected"]])
        lp = sequence_logps(model, ids, batch["prompt_len"])
        return lp.chunk(2)

    def reference_logps(self, batch):
        with eval_mode(self.ref) as ref:
            c, r = self.concatenated_forward(ref, batch)  # <- culprit
        return c.detach(), r.detach()  # <- culprit

    def step(self, batch):
        pc, pr = self.concatenated_forward(self.policy, batch)
        rc, rr = self.reference_logps(batch)  # <- culprit
        margin = self.beta * ((pc - rc) - (pr - rr))
        loss = -F.logsigmoid(margin).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"loss": loss.item(), "acc": (margin > 0).float().mean().item()}


def preference_pairs(n, bs=8, prompt_len=6, comp=10):
    g = torch.Generator().manual_seed(17)
    for _ in range(n):
        prompt = torch.randint(0, 50, (bs, prompt_len), generator=g)
        good = (prompt[:, -1:] + torch.arange(1, comp + 1)) % 50
        bad = torch.randint(0, 50, (bs, comp), generator=g)
        yield {"chosen": torch.cat([prompt, good], 1), "rejected": torch.cat([prompt, bad], 1), "prompt_len": prompt_len}


if __name__ == "__main__":
    torch.manual_seed(17)
    trainer = DPOTrainer(Policy())
    for i, batch in enumerate(preference_pairs(100)):
        m = trainer.step(batch)
        if i % 20 == 0:
            print(i, {k: round(v, 4) for k, v in m.items()})
