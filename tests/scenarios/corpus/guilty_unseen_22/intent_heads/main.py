# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Joint intent / slot-count / sentiment classifier over bag-of-token utterances.
One encoder, one small head per annotation layer; synthetic data until the real export arrives."""
import torch

from data import UtteranceStream
from model import JointModel
from trainer import Trainer

LAYERS = {"intent": 6, "slots": 4, "sentiment": 3}


def main():
    torch.manual_seed(2024)
    stream = UtteranceStream(vocab=300, length=12, layers=LAYERS, seed=5)
    model = JointModel(vocab=300, dim=32, layers=LAYERS)
    trainer = Trainer(model, lr=0.05, weights={"intent": 1.0, "slots": 0.5, "sentiment": 0.5})
    trainer.fit(stream, steps=240)
    accuracy = trainer.evaluate(stream.batch(256))
    print("final:", ", ".join(f"{k}={v:.2f}" for k, v in accuracy.items()))


if __name__ == "__main__":
    main()
