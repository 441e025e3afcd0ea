# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from lm import Backbone, MedusaHeads

N_HEADS, CHUNK, BATCH, VOCAB = 3, 8, 8, 40


class TokenTape:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.pos = torch.randint(0, VOCAB, (BATCH, 1), generator=self.g)
        self.stride = torch.randint(1, 4, (BATCH, 1), generator=self.g)

    def take(self):
        span = torch.arange(CHUNK + N_HEADS + 1)
        ids = (self.pos + self.stride * span) % VOCAB
        self.pos = (self.pos + self.stride * CHUNK) % VOCAB
        return ids


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def __call__(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def train():
    torch.manual_seed(61)
    lm, heads, tape = Backbone(), MedusaHeads(32, VOCAB, N_HEADS), TokenTape(62)
    opt = torch.optim.AdamW([
        {"params": lm.parameters(), "lr": 2e-3},
        {"params": heads.parameters(), "lr": 4e-3},
    ])
    stop = EarlyStop(25)
    cache, table = None, []
    for step in range(110):
        ids = tape.take()
        hidden, cache = lm(ids[:, :CHUNK], cache)
        base = F.cross_entropy(lm.lm_head(hidden).flatten(0, 1), ids[:, 1:CHUNK + 1].flatten())
        extra = []
        for n, logits in enumerate(heads(hidden), start=2):
            extra.append(F.cross_entropy(logits.flatten(0, 1), ids[:, n:CHUNK + n].flatten()))
        weights = [0.8 ** i for i in range(1, N_HEADS + 1)]
        loss = base + sum(w * e for w, e in zip(weights, extra))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        table.append([base.item()] + [e.item() for e in extra])
        if step % 30 == 0:
            print(step, [round(v, 3) for v in table[-1]], "ctx", cache[0][0].shape[2])
        if stop(table[-1][0]):
            break
    print("stopped after", len(table))


if __name__ == "__main__":
    train()
