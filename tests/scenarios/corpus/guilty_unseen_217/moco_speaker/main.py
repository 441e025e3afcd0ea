# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | self.bank.queue | model.bank.queue
# first-bad: 0
import argparse

import torch

from encoder import SpeakerEncoder
from moco import MomentumContrast
from utterances import UtterancePairs


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=80)
    ap.add_argument("--temperature", type=float, default=0.1)
    ap.add_argument("--bank", type=int, default=256)
    a = ap.parse_args()
    torch.manual_seed(64)
    model = MomentumContrast(lambda: SpeakerEncoder(mels=20, dim=32), a.bank, 32, a.temperature)
    opt = torch.optim.SGD(model.query.parameters(), lr=0.05, momentum=0.9)
    pairs = UtterancePairs(speakers=40, frames=30, mels=20)
    for it in range(a.iters):
        q, k = pairs.batch(16)
        loss = model(q, k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.update_key()
        if it % 20 == 0:
            print(it, round(loss.item(), 3))


if __name__ == "__main__":
    main()
