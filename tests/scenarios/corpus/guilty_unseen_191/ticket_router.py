# gradwatch-corpus: kind=graph-held
# holder: spool.buffer | handler.buffer | self.buffer | LOG.handlers[1].buffer
# first-bad: 1
import logging
import logging.handlers
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

LOG = logging.getLogger("router.train")


def setup_logging(capacity=50):
    LOG.setLevel(logging.DEBUG)
    LOG.propagate = False
    console = logging.StreamHandler(sys.stdout)
    console.setLevel(logging.INFO)
    console.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    LOG.addHandler(console)
    spool = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR)  # <- culprit
    spool.setLevel(logging.DEBUG)
    LOG.addHandler(spool)
    return spool


class TicketRouter(nn.Module):
    def __init__(self, vocab=800, dim=32, queues=9):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.body = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Dropout(0.1))
        self.queue = nn.Linear(64, queues)
        self.urgency = nn.Linear(64, 1)

    def forward(self, tokens):
        z = self.body(self.emb(tokens))
        return self.queue(z), self.urgency(z).squeeze(-1)


def tickets(n, vocab, queues, gen):
    queue = torch.randint(queues, (n,), generator=gen)
    base = queue[:, None] * (vocab // queues)
    tokens = base + torch.randint(vocab // queues, (n, 20), generator=gen)
    noise = torch.rand(n, 20, generator=gen) < 0.3
    tokens = torch.where(noise, torch.randint(vocab, (n, 20), generator=gen), tokens)
    urgency = (queue % 3).float() / 2
    return tokens, queue, urgency


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    setup_logging()
    model = TicketRouter()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=600)
    for step in range(600):
        tokens, queue, urgency = tickets(48, 800, 9, gen)
        logits, urg = model(tokens)
        route = F.cross_entropy(logits, queue)
        level = F.mse_loss(urg, urgency)
        loss = route + 0.5 * level
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        LOG.debug("step %d route %.4f urgency %.4f", step, route, level)  # <- culprit
        if step % 100 == 99:
            LOG.info("step %d total %.4f lr %.2e", step + 1, loss.item(), sched.get_last_lr()[0])


if __name__ == "__main__":
    main()
