# gradwatch-corpus: kind=none
import torch

from bank import FeatureBank
from scans import ScanPairs
from trainer import ContrastTrainer, Twin


def main():
    torch.manual_seed(7)
    trainer = ContrastTrainer(Twin(inputs=32, dim=16), FeatureBank(slots=256, dim=16))
    pairs = ScanPairs(inputs=32)
    for step in range(430):
        loss = trainer.step(*pairs.draw(32))
        if step % 86 == 0:
            print(step, round(loss, 4), "filled", trainer.bank.filled)


if __name__ == "__main__":
    main()
