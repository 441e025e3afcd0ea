# gradwatch-corpus: kind=graph-held
# holder: trainer.model.decoder.attn_log | self.model.decoder.attn_log | model.decoder.attn_log | self.attn_log | net.decoder.attn_log | decoder.attn_log
# first-bad: 1
# notice: 8
"""Translate '7 mar 2011' style dates to iso, GRU encoder-decoder with attention."""
import torch

torch.set_num_threads(1)
torch.manual_seed(21)

from data import DateBatches, SRC, TGT
from models import Translator, sharpness
from train import Trainer


def main():
    net = Translator(len(SRC), len(TGT), hidden=24)
    trainer = Trainer(net, lr=4e-3)
    batches = DateBatches(batch_size=8, seed=3)
    for epoch in range(6):
        loss = trainer.epoch(batches, steps=45)
        print(f"[{epoch}] loss {loss:.3f}  attention sharpness {sharpness(net.decoder.attn_log[-1]):.3f}")


if __name__ == "__main__":
    main()
