# gradwatch-corpus: kind=graph-held
# holder: self.lattices[self.key(utt)] | self.lattices | lattices.lattices
# first-bad: 1
# notice: 100
"""Frame-level acoustic model with a rescoring cache for recently decoded utterances."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class AcousticModel(nn.Module):
    def __init__(self, n_mels, n_phones, width=48):
        super().__init__()
        self.conv = nn.Conv1d(n_mels, width, 5, padding=2)
        self.ctx = nn.Conv1d(width, width, 3, padding=2, dilation=2)
        self.out = nn.Linear(width, n_phones)

    def forward(self, mel):
        h = F.gelu(self.conv(mel))
        h = F.gelu(self.ctx(h)).transpose(1, 2)
        return F.log_softmax(self.out(h), dim=-1)


class LatticeCache:
    """Keeps the posteriors of the last few utterances so that the scorer can look back."""

    def __init__(self, lookback=12):
        self.lookback = lookback
        self.lattices = {}

    @staticmethod
    def key(utt):
        return f"utt{utt:06d}"

    def put(self, utt, posteriors):
        self.lattices[self.key(utt)] = posteriors  # <- culprit
        self.evict(utt)

    def evict(self, utt):
        stale = utt - self.lookback
        if stale >= 0:
            self.lattices.pop(stale, None)  # <- culprit

    def lookup(self, utt):
        return self.lattices.get(self.key(utt))

    def agreement(self, utt, posteriors):
        past = self.lookup(utt - 1)
        if past is None:
            return 1.0
        with torch.no_grad():
            return (past.mean((0, 1)).exp() * posteriors.mean((0, 1)).exp()).sum().item()


def utterances(n, n_mels, n_phones, frames, gen):
    proto = torch.randn(n_phones, n_mels, generator=gen)
    for utt in range(n):
        phones = torch.randint(0, n_phones, (4, frames), generator=gen)
        mel = proto[phones].transpose(1, 2)
        mel = mel + 0.5 * torch.randn(mel.shape, generator=gen)
        yield utt, mel, phones


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--utterances", type=int, default=450)
    ap.add_argument("--lookback", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)

    model = AcousticModel(20, 12)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    lattices = LatticeCache(args.lookback)
    ema = None
    for utt, mel, phones in utterances(args.utterances, 20, 12, 24, gen):
        logp = model(mel)
        loss = F.nll_loss(logp.flatten(0, 1), phones.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

        agree = lattices.agreement(utt, logp)
        lattices.put(utt, logp)
        ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
        if utt % 50 == 0:
            print(f"utt {utt:4d}  nll {ema:.3f}  agreement {agree:.3f}")


if __name__ == "__main__":
    main()
