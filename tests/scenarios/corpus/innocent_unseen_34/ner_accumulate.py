# gradwatch-corpus: kind=none
"""BiLSTM named entity tagger with gradient accumulation."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

LABELS = ["O", "B-PER", "I-PER", "B-LOC"]


@dataclass
class Config:
    vocab: int = 80
    emb: int = 24
    hidden: int = 24
    batch: int = 8
    accumulate: int = 4
    lr: float = 8e-3
    epochs: int = 2
    log_every: int = 20


@dataclass
class TrainState:
    step: int = 0
    micro: int = 0
    running_loss: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    losses: list = field(default_factory=list)


def sentences(n, vocab, seed=0):
    g = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(n):
        length = int(torch.randint(5, 15, (1,), generator=g))
        w = torch.randint(1, vocab, (length,), generator=g)
        y = torch.zeros(length, dtype=torch.long)
        y[w < 12] = 1
        y[(w >= 70)] = 3
        for i in range(1, length):
            if y[i - 1] in (1, 2) and 12 <= w[i] < 40:
                y[i] = 2
        out.append((w, y))
    return out


def collate(batch):
    batch.sort(key=lambda b: -len(b[0]))
    w, y = zip(*batch)
    return pad_sequence(w, True), pad_sequence(y, True, -100), torch.tensor([len(x) for x in w])


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.emb, padding_idx=0)
        self.lstm = nn.LSTM(cfg.emb, cfg.hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * cfg.hidden, len(LABELS))

    def forward(self, w, lengths):
        packed = pack_padded_sequence(self.emb(w), lengths, batch_first=True)
        h, _ = self.lstm(packed)
        h, _ = pad_packed_sequence(h, batch_first=True)
        return self.out(h)


def train_epoch(model, loader, opt, state, cfg):
    for w, y, lengths in loader:
        logits = model(w, lengths)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=-100)
        (loss / cfg.accumulate).backward()
        state.running_loss += loss.detach()
        state.losses.append(loss.detach())
        state.micro += 1
        if state.micro % cfg.accumulate == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            opt.zero_grad()
            state.step += 1
            if state.step % cfg.log_every == 0:
                n = cfg.accumulate * cfg.log_every
                print(f"step {state.step} loss {state.running_loss.item() / n:.4f}")
                state.running_loss.zero_()


@torch.no_grad()
def tag_accuracy(model, loader):
    ok = n = 0
    for w, y, lengths in loader:
        keep = y >= 0
        ok += (model(w, lengths).argmax(-1)[keep] == y[keep]).sum().item()
        n += keep.sum().item()
    return ok / n


def main():
    torch.manual_seed(0)
    cfg, state = Config(), TrainState()
    train = DataLoader(sentences(1280, cfg.vocab), cfg.batch, shuffle=True, collate_fn=collate)
    dev = DataLoader(sentences(160, cfg.vocab, 1), 40, collate_fn=collate)
    model = Tagger(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        train_epoch(model, train, opt, state, cfg)
        print(f"epoch {epoch} dev acc {tag_accuracy(model, dev):.4f}")
    print("min micro-batch loss %.4f" % torch.stack(state.losses).min())


if __name__ == "__main__":
    main()
