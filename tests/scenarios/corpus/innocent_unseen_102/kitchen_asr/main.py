# gradwatch-corpus: kind=none
"""Toy CTC recogniser for kitchen voice commands."""
import torch

from logging_utils import IntervalReport
from net import CommandNet
from sounds import utterances


def main(steps=320, report_every=40):
    torch.set_num_threads(1)
    torch.manual_seed(19)
    net = CommandNet(n_mels=12, n_tokens=8)
    opt = torch.optim.Adam(net.parameters(), lr=6e-3)
    report = IntervalReport(report_every, ("ctc", "smooth"))
    ctc = torch.nn.CTCLoss(zero_infinity=True)
    codebook = torch.randn(9, 12)
    for step in range(1, steps + 1):
        mels, targets, in_len, out_len = utterances(codebook, batch=8)
        logp = net(mels)
        loss_ctc = ctc(logp, targets, in_len, out_len)
        loss_smooth = -logp.mean() * 0.01
        opt.zero_grad()
        (loss_ctc + loss_smooth).backward()
        opt.step()
        report.add(ctc=loss_ctc, smooth=loss_smooth)


if __name__ == "__main__":
    main()
