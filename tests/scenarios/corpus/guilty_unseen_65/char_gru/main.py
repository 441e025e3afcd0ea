# gradwatch-corpus: kind=graph-held
# holder: self.memory.buffer | memory.buffer | handler.buffer | self.buffer | record.args | log.handlers[0].buffer | logger.handlers[0].buffer
# first-bad: 1
# notice: 8
"""Character model (GRU, stateful over the text) on generated arithmetic lines."""
import torch
import torch.nn as nn

from corpus import Corpus
from runlog import ProgressLogger, setup_logging


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=16, hid=48, drop=0.1):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.gru = nn.GRU(emb, hid)
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(hid, vocab)

    def forward(self, x, h):
        y, h = self.gru(self.drop(self.emb(x)), h)
        return self.out(self.drop(y)), h

    def zero_state(self, bsz):
        return torch.zeros(1, bsz, self.gru.hidden_size)


@torch.no_grad()
def sample(model, corpus, n=60, temperature=0.7):
    model.eval()
    h = model.zero_state(1)
    tok = torch.tensor([[corpus.stoi["\n"]]])
    out = []
    for _ in range(n):
        logits, h = model(tok, h)
        tok = torch.multinomial((logits[-1] / temperature).softmax(-1), 1)
        out.append(corpus.itos[tok.item()])
    model.train()
    return "".join(out)


def train(model, corpus, observers, epochs=3, lr=5e-3, bptt=20, bsz=16):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    step = 0
    for epoch in range(epochs):
        h = model.zero_state(bsz)
        for x, y in corpus.batches(bsz, bptt):
            h = h.detach()
            logits, h = model(x, h)
            loss = criterion(logits.flatten(0, 1), y.flatten())
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            for ob in observers:
                ob.on_step(step, loss=loss, grad_norm=norm)  # <- culprit
            step += 1
        for ob in observers:
            ob.on_epoch(epoch)
    return step


def main():
    torch.set_num_threads(1)
    torch.manual_seed(42)
    memory = setup_logging()
    corpus = Corpus(14000)
    model = CharGRU(len(corpus.itos))
    n = train(model, corpus, [ProgressLogger(every=1)])
    memory.close()
    print(f"{n} steps; sample:\n{sample(model, corpus)}")


if __name__ == "__main__":
    main()
