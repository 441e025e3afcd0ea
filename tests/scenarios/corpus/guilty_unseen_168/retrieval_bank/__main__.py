# gradwatch-corpus: kind=memory-climb
# holder: self.keys | bank.keys | self.bank.keys
import torch

from .data import pairs
from .model import Embedder
from .trainer import ContrastiveTrainer

torch.set_num_threads(1)
torch.manual_seed(8)


def main():
    trainer = ContrastiveTrainer(Embedder(), lr=1e-3)
    for step, (a, b) in enumerate(pairs(steps=90, batch=384)):
        loss = trainer.step(a, b)
        if step % 15 == 0:
            print(f"step {step} loss {loss:.3f} temperature {trainer.tau:.3f}")
    print("done, final loss", round(loss, 3))


main()
