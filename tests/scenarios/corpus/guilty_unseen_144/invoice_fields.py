# gradwatch-corpus: kind=graph-held
# holder: self.rows | log_thread.rows | self.rows[-1].logits
# first-bad: 1
# notice: 8
import queue
import threading
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(77)


@dataclass
class StepRow:
    step: int
    loss: float
    logits: torch.Tensor
    labels: torch.Tensor


class LogThread(threading.Thread):
    """Takes rows off the training thread and works out confusion figures in the background."""

    def __init__(self, n_classes):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.rows = []
        self.confusion = torch.zeros(n_classes, n_classes, dtype=torch.long)

    def run(self):
        while True:
            row = self.inbox.get()
            if row is None:
                return
            guess = row.logits.argmax(-1).flatten()
            for g, t in zip(guess.tolist(), row.labels.flatten().tolist()):
                self.confusion[t, g] += 1
            self.rows.append(row)  # <- culprit

    def submit(self, row):
        self.inbox.put(row)

    def close(self):
        self.inbox.put(None)
        self.join()


class FieldTagger(nn.Module):
    """Tags each token of an invoice line: other / date / amount / vendor."""

    def __init__(self, vocab=40, width=12, n_classes=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, 24, 3, padding=1)
        self.out = nn.Linear(24, n_classes)

    def forward(self, tokens):
        h = self.conv(self.emb(tokens).transpose(1, 2)).relu().transpose(1, 2)
        return self.out(h)


def invoices(batch=12, length=9):
    tok = torch.randint(0, 40, (batch, length))
    prev = torch.roll(tok, 1, dims=1)
    return tok, (tok // 10 + (prev > 30).long()).clamp(max=3)


def main():
    tagger = FieldTagger()
    opt = torch.optim.SGD(tagger.parameters(), lr=0.3, momentum=0.8)
    log_thread = LogThread(4)
    log_thread.start()
    for step in range(360):
        tok, tags = invoices()
        logits = tagger(tok)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        log_thread.submit(StepRow(step, loss.item(), logits, tags))  # <- culprit
    log_thread.close()
    acc = log_thread.confusion.diag().sum().item() / log_thread.confusion.sum().item()
    print(f"{len(log_thread.rows)} rows, token accuracy {acc:.3f}, last loss {log_thread.rows[-1].loss:.3f}")


main()
