# gradwatch-corpus: kind=none
"""Nearest-neighbour contrastive learning (NNCLR-like) on spectra, target network and a fixed-size support queue."""
import torch

torch.set_num_threads(1)
torch.manual_seed(300)

from data import SpectraPairs
from models import Siamese


class Pretrainer:
    def __init__(self):
        self.net = Siamese(n_bins=30, dim=12, queue=64)
        self.opt = torch.optim.SGD(self.net.online_parameters(), lr=0.05, momentum=0.9)
        self.loader = torch.utils.data.DataLoader(SpectraPairs(480), batch_size=16, shuffle=True, drop_last=True)

    def epoch(self):
        epoch_losses = []
        for a, b in self.loader:
            loss = 0.5 * (self.net.loss(a, b) + self.net.loss(b, a))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.net.update_target(0.98)
            epoch_losses.append(loss.detach())
        return torch.stack(epoch_losses).mean().item()


def main():
    pre = Pretrainer()
    for e in range(15):
        avg = pre.epoch()
        if e % 3 == 2:
            print(f"epoch {e + 1}: loss {avg:.4f}, queue norm {pre.net.queue.norm(dim=1).mean():.3f}")


if __name__ == "__main__":
    main()
