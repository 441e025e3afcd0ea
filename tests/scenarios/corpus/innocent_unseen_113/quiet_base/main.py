# gradwatch-corpus: kind=none
"""Traffic-sign toy with a tracker per class, kept for the whole run."""
import torch

from signs import SignNet, draw, NAMES
from trackers import ClassTracker, LossTracker, TrackerSet

torch.set_num_threads(1)
torch.manual_seed(6)


def main():
    net = SignNet(len(NAMES))
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    trackers = TrackerSet(loss=LossTracker(), per_class=ClassTracker(NAMES))
    for step in range(420):
        x, y = draw(24)
        losses, logits = net.losses(x, y)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        trackers.feed(loss=loss, losses=losses, logits=logits, labels=y)
        if step % 105 == 104:
            print(step + 1, trackers.lines())


if __name__ == "__main__":
    main()
