# gradwatch-corpus: kind=none
"""Classifies whale calls from hydrophone spectrograms; prints a confusion table at the end."""
import torch
from torch.utils.data import DataLoader

from loop import EpochConfusion, Printer, Trainer
from net import CallNet
from sea import SPECIES, Hydrophone


def main():
    torch.manual_seed(52)
    clips = Hydrophone(320, seed=52)
    loader = DataLoader(clips, batch_size=8, shuffle=True, drop_last=True)
    net = CallNet(clips.bins, len(SPECIES))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    confusion = EpochConfusion(len(SPECIES))
    trainer = Trainer(net, opt, [confusion, Printer(confusion, every=5)])
    trainer.fit(loader, epochs=25)
    for name, row in zip(SPECIES, confusion.table.tolist()):
        print(f"{name:>9}: {row}")


if __name__ == "__main__":
    main()
