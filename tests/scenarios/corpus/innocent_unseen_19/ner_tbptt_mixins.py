# gradwatch-corpus: kind=none
"""Entity tagging over endless documents, recurrent state carried from chunk to chunk and an update every
four chunks. The class hierarchy grew over three projects, sorry."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def cut(state):
    """The same values, no past."""
    if torch.is_tensor(state):
        return state.detach()
    return tuple(cut(s) for s in state)


class StatefulMixin:
    def reset_state(self, batch):
        self.state = (torch.zeros(1, batch, self.hidden), torch.zeros(1, batch, self.hidden))

    def forget_finished(self, finished):
        keep = (~finished).float().view(1, -1, 1)
        self.state = tuple(s * keep for s in self.state)


class AccumulateMixin:
    def reset_accumulator(self):
        self.pending = 0.0
        self.n_pending = 0

    def accumulate(self, loss):
        self.pending = self.pending + loss
        self.n_pending += 1

    @property
    def due(self):
        return self.n_pending >= self.chunks_per_update


class OptimMixin:
    def apply_pending(self):
        objective = self.pending / self.n_pending
        self.optimizer.zero_grad(set_to_none=True)
        objective.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        return objective.item()


class MeterMixin:
    def reset_meter(self):
        self.curve = []
        self.right = self.seen = 0

    def meter(self, logits, tags):
        self.right += (logits.argmax(-1) == tags).sum().item()
        self.seen += tags.numel()

    def flush_meter(self):
        acc = self.right / max(1, self.seen)
        self.right = self.seen = 0
        return acc


class Tagger(nn.Module):
    def __init__(self, vocab, tags, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, 20)
        self.lstm = nn.LSTM(20, hidden, batch_first=True)
        self.out = nn.Linear(hidden, tags)

    def forward(self, tokens, state):
        y, state = self.lstm(self.emb(tokens), state)
        return self.out(y), state


class TaggingLoop(StatefulMixin, AccumulateMixin, OptimMixin, MeterMixin):
    chunks_per_update = 4

    def __init__(self, net, hidden, batch, lr):
        self.net, self.hidden = net, hidden
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.reset_state(batch)
        self.reset_accumulator()
        self.reset_meter()

    def consume(self, tokens, tags, finished):
        logits, self.state = self.net(tokens, self.state)
        self.accumulate(F.cross_entropy(logits.flatten(0, 1), tags.flatten()))
        self.meter(logits, tags)
        self.forget_finished(finished)
        if self.due:
            self.curve.append(self.apply_pending())
            self.reset_accumulator()
            self.state = cut(self.state)


def documents(seed, batch=8, chunk=6, vocab=50, tags=4):
    """The tag of a token depends on the token and on the last marker (tokens 0..3) seen."""
    g = torch.Generator().manual_seed(seed)
    marker = torch.zeros(batch, dtype=torch.long)
    while True:
        tokens = torch.randint(vocab, (batch, chunk), generator=g)
        labels = torch.empty_like(tokens)
        for t in range(chunk):
            tok = tokens[:, t]
            marker = torch.where(tok < tags, tok, marker)
            labels[:, t] = (tok + marker) % tags
        finished = torch.rand(batch, generator=g) < 0.05
        marker = torch.where(finished, torch.zeros_like(marker), marker)
        yield tokens, labels, finished


def main(updates=250):
    torch.manual_seed(17)
    loop = TaggingLoop(Tagger(50, 4, hidden=32), hidden=32, batch=8, lr=5e-3)
    for tokens, tags, finished in documents(seed=4):
        loop.consume(tokens, tags, finished)
        n = len(loop.curve)
        if n and n % 50 == 0 and loop.n_pending == 0:
            print(f"update {n:4d}  loss {loop.curve[-1]:.3f}  acc {loop.flush_meter():.3f}")
        if n >= updates:
            break


if __name__ == "__main__":
    main()
