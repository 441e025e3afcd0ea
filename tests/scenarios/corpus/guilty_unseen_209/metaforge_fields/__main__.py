# gradwatch-corpus: kind=graph-chain
# holder: self.codes | bank.codes
# first-bad: 1
import argparse

import torch

from .bank import CodeBank
from .decoder import Decoder, calibrate, sample_signal


def main(argv=None) -> None:
    ap = argparse.ArgumentParser("metaforge_fields")
    ap.add_argument("--iters", type=int, default=400)
    ap.add_argument("--signals", type=int, default=6)
    ap.add_argument("--code", type=int, default=8)
    cfg = ap.parse_args(argv)

    torch.manual_seed(5)
    dec = Decoder(cfg.code)
    calibrate(dec, cfg.signals)
    dec.requires_grad_(False)

    bank = CodeBank(cfg.signals, cfg.code)
    opt = torch.optim.SGD(bank.parameters(), lr=2e-2)
    for it in range(cfg.iters):
        xs, ys = sample_signal(cfg.signals, 16, it)
        bank.refine(lambda z: (dec(xs, z) - ys).pow(2).mean())
        qx, qy = sample_signal(cfg.signals, 16, it + 100_000)
        outer = (dec(qx, bank.codes) - qy).pow(2).mean()
        opt.zero_grad()
        outer.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(bank.parameters(), 1.0)
        opt.step()
        if it % 80 == 0:
            print(f"it {it:4d} outer {outer.item():.4f} rate {bank.log_rate.exp().mean().item():.4f}")


if __name__ == "__main__":
    main()
