# gradwatch-corpus: kind=none
"""Lesion segmentation with deep supervision: intermediate maps are tapped by hooks and
get auxiliary heads. Scans that fail the sanity check are skipped and counted."""
import torch

from hard_cases import HardCases
from net import SegNet
from supervise import DeepSupervision, dice_loss
from scans import ScanError, ScanSource


class Training:
    def __init__(self):
        self.net = SegNet(width=8)
        self.taps = DeepSupervision(self.net, ["down", "mid"], channels=[16, 16])
        params = list(self.net.parameters()) + list(self.taps.heads.parameters())
        self.opt = torch.optim.Adam(params, lr=3e-3)
        self.hard = HardCases(keep=5)
        self.errors = {}
        self.last_error = None

    def step(self, index, source):
        try:
            image, label = source.load(index)
        except ScanError as err:
            self.errors[err.kind] = self.errors.get(err.kind, 0) + 1
            self.last_error = str(err)
            image, label = source.load(index + 1)
        logits = self.net(image)
        main = dice_loss(logits, label)
        aux = self.taps.loss(label)
        total = main.mean() + 0.3 * aux
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.hard.offer(index, main, image)
        return total


def main(steps=220):
    torch.manual_seed(5)
    source = ScanSource(seed=5)
    training = Training()
    history = {"total": []}
    for k in range(steps):
        total = training.step(k, source)
        history["total"].append(total.item())
        if k % 44 == 43:
            mean = sum(history["total"][-44:]) / 44
            print(f"{k + 1:4d}  loss {mean:.4f}  skipped {training.errors}  hardest {training.hard.worst():.3f}")
    print("last:", training.last_error)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
