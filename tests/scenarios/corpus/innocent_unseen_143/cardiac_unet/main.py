# gradwatch-corpus: kind=none
"""Left ventricle contours; the deep part of the net is recomputed in the backward."""
import torch

torch.set_num_threads(1)

from net import LvNet
from phantom import Heartbeats


class Train:
    def __init__(self, epochs):
        self.net = LvNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.epochs = epochs

    def epoch(self, beats):
        """All losses of an epoch (12 batches) are kept to report worst and mean, and go with the epoch."""
        losses = []
        for im, lv in beats:
            out = self.net(im)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(out, lv)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss)
        table = torch.stack(losses)
        return table.mean().item(), table.max().item()

    def run(self):
        for e in range(self.epochs):
            mean, worst = self.epoch(Heartbeats(12))
            if e % 8 == 0:
                print(f"epoch {e}: mean {mean:.3f} worst {worst:.3f}")


torch.manual_seed(7)
Train(40).run()
