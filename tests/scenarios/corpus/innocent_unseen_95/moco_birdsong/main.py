# gradwatch-corpus: kind=none
"""Momentum-contrast pre-training on birdsong snippets, then a linear probe."""
import torch

from audio import SnippetBank
from moco import MoCo
from probe import linear_probe
from tracking import Tracker


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    bank = SnippetBank(species=6, length=64)
    model = MoCo(bank.length, dim=16, queue=256)
    opt = torch.optim.SGD(model.query_parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.08, total_steps=360)
    track = Tracker("loss", "acc", "queue_sim")
    for step in range(360):
        view_a, view_b = bank.pair(24)
        loss, info = model(view_a, view_b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        track.update(loss=loss, **info)
        if (step + 1) % 90 == 0:
            print(step + 1, track.summary(last=90))
    print("probe accuracy %.3f" % linear_probe(model.encoder_q, bank))


if __name__ == "__main__":
    main()
