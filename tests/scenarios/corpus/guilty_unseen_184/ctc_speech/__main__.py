# gradwatch-corpus: kind=graph-held
# holder: self.records | keep.records
# first-bad: 1
import logging

import torch

from .data import utterances
from .logs import KeepHandler
from .net import AcousticModel

log = logging.getLogger("ctc_speech")


def train(steps=420, lr=2e-3):
    torch.manual_seed(1)
    model = AcousticModel()
    ctc = torch.nn.CTCLoss(blank=0, zero_infinity=True)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for step, (feats, targets, in_len, tgt_len) in enumerate(utterances(steps)):
        logp = model(feats).log_softmax(-1).transpose(0, 1)
        loss = ctc(logp, targets, in_len, tgt_len)
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        log.info("step %d loss %.4f grad norm %.3f", step, loss, norm)  # <- culprit


def main():
    keep = KeepHandler()
    log.setLevel(logging.INFO)
    log.addHandler(keep)
    log.propagate = False
    train()
    for line in keep.lines(every=60):
        print(line)


if __name__ == "__main__":
    main()
