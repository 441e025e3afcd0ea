# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | lm.hidden
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(1111)

from data import Corpus
from engine import evaluate, train_epoch
from models import StatefulGRULM

CFG = dict(emb=16, nhid=24, bptt=10, batch=6, lr=5e-3, clip=0.25, epochs=3)


def main():
    corpus = Corpus(vocab=30, length=6000)
    lm = StatefulGRULM(corpus.vocab, CFG["emb"], CFG["nhid"])
    opt = torch.optim.Adam(lm.parameters(), lr=CFG["lr"])
    best = None
    for ep in range(CFG["epochs"]):
        train_epoch(lm, corpus.train(CFG["batch"]), opt, CFG["bptt"], CFG["clip"])
        val = evaluate(lm, corpus.valid(CFG["batch"]), CFG["bptt"])
        print(f"epoch {ep} val {val:.3f}")
        best = val if best is None or val < best else best


if __name__ == "__main__":
    main()
