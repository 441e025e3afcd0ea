# gradwatch-corpus: kind=graph-held
# holder: journal.records | self.records | record.args | tail.records
# first-bad: 1
# notice: 8
"""Route help-desk tickets to teams: bag of words, attention pooling.

    python ticket_router.py

Progress goes through the standard logging module; the run report at the end is
made from what was logged, so nothing has to be threaded through by hand.
"""
import logging
import random

import torch
import torch.nn as nn

log = logging.getLogger("router")

TEAMS = {
    "network": "vpn wifi router cable ping switch dns slow port".split(),
    "billing": "invoice refund charge card price tax receipt plan".split(),
    "hardware": "screen keyboard laptop battery fan dock mouse noise".split(),
    "accounts": "password login locked reset token user role access".split(),
}
FILLER = "please help the my is again since today not works cannot when urgent with a".split()


class Journal(logging.Handler):
    """Keeps records for the report rather than writing them anywhere."""

    def __init__(self, level=logging.DEBUG):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append(record)  # <- culprit

    def column(self, key):
        return [r.args[key] for r in self.records if isinstance(r.args, dict) and key in r.args]


class Vocabulary(dict):
    def __missing__(self, word):
        self[word] = len(self) + 1
        return self[word]


def write_ticket(rng):
    team = rng.randrange(len(TEAMS))
    own = list(TEAMS.values())[team]
    other = list(TEAMS.values())[rng.randrange(len(TEAMS))]
    words = rng.choices(own, k=3) + rng.choices(other, k=1) + rng.choices(FILLER, k=6)
    rng.shuffle(words)
    return words, team


def collate(tickets, vocab):
    rows = [[vocab[w] for w in words] for words, _ in tickets]
    width = max(map(len, rows))
    x = torch.tensor([r + [0] * (width - len(r)) for r in rows])
    return x, torch.tensor([t for _, t in tickets])


class Router(nn.Module):
    def __init__(self, n_words, dim=16):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.query = nn.Linear(dim, 1)
        self.head = nn.Linear(dim, len(TEAMS))

    def forward(self, x):
        e = self.emb(x)
        a = self.query(e).squeeze(-1).masked_fill(x == 0, -1e9).softmax(1)
        pooled = torch.einsum("bl,bld->bd", a, e)
        return self.head(pooled), -(a * a.clamp_min(1e-9).log()).sum(1).mean()


def run():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rng = random.Random(9)

    log.setLevel(logging.DEBUG)
    log.propagate = False
    journal = Journal()
    console = logging.StreamHandler()
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(levelname).1s %(message)s"))
    log.addHandler(journal)
    log.addHandler(console)

    vocab = Vocabulary()
    net = Router(n_words=64)
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=1e-3)

    for it in range(400):
        x, y = collate([write_ticket(rng) for _ in range(24)], vocab)
        scores, spread = net(x)
        fit = nn.functional.cross_entropy(scores, y)
        (fit + 0.02 * spread).backward()
        opt.step()
        opt.zero_grad()
        log.debug("it %(it)d fit %(fit).4f spread %(spread).3f",
                  {"it": it, "fit": fit, "spread": spread})  # <- culprit
        if it % 100 == 99:
            acc = (scores.argmax(1) == y).float().mean().item()
            log.info("%d tickets seen, batch accuracy %.2f", (it + 1) * 24, acc)

    fits = [v.item() for v in journal.column("fit")]
    spreads = [v.item() for v in journal.column("spread")]
    print("first 20 %.3f | last 20 %.3f" % (sum(fits[:20]) / 20, sum(fits[-20:]) / 20))
    print("attention entropy %.2f -> %.2f" % (spreads[0], spreads[-1]))


if __name__ == "__main__":
    run()
