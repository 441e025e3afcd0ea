# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.meters["ppl"].sum | trainer.meters["ppl"].sum | meter.sum
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)

from .data import MarkovCorpus
from .model import TinyGPT
from .trainer import Trainer


def main():
    torch.manual_seed(7)
    corpus = MarkovCorpus(vocab=24, length=4000, block=12)
    model = TinyGPT(vocab=24, block=12, width=24, heads=2, depth=2)
    trainer = Trainer(model, corpus, lr=3e-3, batch_size=8)
    trainer.fit(max_steps=260)
    print("final", trainer.summary())


if __name__ == "__main__":
    main()
