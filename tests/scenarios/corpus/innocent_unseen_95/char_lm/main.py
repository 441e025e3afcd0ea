# gradwatch-corpus: kind=none
"""Character-level LSTM on a toy recipe language, trained with truncated BPTT."""
import torch

from callbacks import BestKeeper, History, PlateauDecay
from corpus import Corpus
from lm import CharLM
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    corpus = Corpus(n_recipes=420, batch_size=8)
    model = CharLM(len(corpus.vocab), emb=16, hidden=32, layers=2, dropout=0.1)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    history, best = History(), BestKeeper()
    trainer = Trainer(model, opt, bptt=16, clip=1.0,
                      callbacks=[history, best, PlateauDecay(opt, patience=1)])
    trainer.fit(corpus, epochs=6)
    model.load_state_dict(best.weights)
    print("best val ppl %.2f, %d logged steps" % (best.ppl, len(history.train)))
    print(corpus.decode(model.sample(corpus.encode("mix "), 40)))


if __name__ == "__main__":
    main()
