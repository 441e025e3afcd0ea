# gradwatch-corpus: kind=none
import torch

from lm import LanguageModel
from state import CarryManager
from stream import TokenStream
from loop import LMTrainer, LoopConfig


def main():
    cfg = LoopConfig(epochs=2, bptt=12, lr=5e-3)
    torch.manual_seed(cfg.seed)
    stream = TokenStream(vocab=30, length=6000, batch=10)
    model = LanguageModel(30, 24, 40, layers=2, kind="lstm")
    trainer = LMTrainer(model, CarryManager(model), cfg)
    trainer.fit(stream)
    print("ppl per epoch", [round(p, 2) for p in trainer.history["ppl"]])


if __name__ == "__main__":
    main()
