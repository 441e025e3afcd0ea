# gradwatch-corpus: kind=none
"""Outcome classifier for court rulings that should not tell the chamber: an R1-style penalty on the
embeddings' gradient, activation taps for a decorrelation term, and a slow copy for evaluation."""
import torch

from corpus import Rulings
from model import RulingClassifier
from slow import SlowCopy
from taps import Taps
from train import RulingTrainer


class Printer:
    def __init__(self, every):
        self.every = every
        self.seen = {}

    def on_step(self, trainer, **values):
        for k, v in values.items():
            n, total = self.seen.get(k, (0, 0.0))
            self.seen[k] = (n + 1, total + v)
        if trainer.step % self.every == 0:
            print(trainer.step, {k: round(t / n, 4) for k, (n, t) in self.seen.items()})
            self.seen.clear()


class Evaluator:
    def __init__(self, batch, every):
        self.batch, self.every = batch, every
        self.best = 0.0

    def on_step(self, trainer, **values):
        if trainer.step % self.every:
            return
        tokens, outcome, _ = self.batch
        with torch.no_grad():
            hit = (trainer.slow.model(tokens).argmax(-1) == outcome).float().mean().item()
        self.best = max(self.best, hit)
        print(f"    slow copy accuracy {hit:.3f} (best {self.best:.3f})")


def main():
    torch.manual_seed(81)
    torch.set_num_threads(1)
    data = Rulings(seed=82)
    model = RulingClassifier(data.vocab, 24)
    slow = SlowCopy(model, 0.98)
    taps = Taps(model, ["pool", "hidden"])
    trainer = RulingTrainer(model, taps, slow, lr=4e-3,
                            callbacks=[Printer(60), Evaluator(data.batch(128), 120)])
    trainer.run(data, 240)


if __name__ == "__main__":
    main()
