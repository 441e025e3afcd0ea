# gradwatch-corpus: kind=memory-climb
# holder: features.cache | self.cache | loader.features.cache | self.features.cache
# first-bad: 1
# notice: 300
"""CTC phone recogniser on synthetic speech with speed perturbation and cached filterbanks."""
import argparse
import random

import torch
from torch import nn
from torch.nn import functional as F


class Corpus:
    """Utterances made of short tones, one tone for each phone."""

    def __init__(self, n_utts, n_phones, rng, samples_per_phone=400):
        t = torch.arange(samples_per_phone, dtype=torch.float32)
        self.waves, self.phones = {}, {}
        for k in range(n_utts):
            seq = [rng.randint(1, n_phones) for _ in range(6)]
            tones = [torch.sin(0.08 * p * t) for p in seq]
            wave = torch.cat(tones)
            self.waves[f"utt{k:03d}"] = wave + 0.1 * torch.randn_like(wave)
            self.phones[f"utt{k:03d}"] = torch.tensor(seq)
        self.ids = sorted(self.waves)


class FilterbankExtractor:
    """Log filterbanks of an utterance at a playback speed.

    The STFT is the slowest part of the input pipeline, so results are cached.
    """

    def __init__(self, corpus, n_fft=128, hop=40, n_bands=24):
        self.corpus = corpus
        self.n_fft = n_fft
        self.hop = hop
        self.window = torch.hann_window(n_fft)
        self.bands = torch.rand(n_bands, n_fft // 2 + 1).softmax(dim=1)
        self.cache = {}

    def __call__(self, utt, speed):
        key = (utt, speed)
        if key not in self.cache:
            self.cache[key] = self._extract(utt, speed)  # <- culprit
        return self.cache[key]

    def _extract(self, utt, speed):
        wave = self.corpus.waves[utt]
        length = int(len(wave) / speed)
        wave = F.interpolate(wave[None, None], size=length, mode="linear", align_corners=False)[0, 0]
        spec = torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True)
        power = spec.abs().pow(2)
        return torch.log(self.bands @ power + 1e-5).t().contiguous()


class Loader:
    def __init__(self, corpus, features, batch, rng):
        self.corpus = corpus
        self.features = features
        self.batch = batch
        self.rng = rng

    def next(self):
        utts = self.rng.sample(self.corpus.ids, self.batch)
        feats = [self.features(u, self.rng.uniform(0.9, 1.1)) for u in utts]  # <- culprit
        targets = [self.corpus.phones[u] for u in utts]
        lengths = torch.tensor([len(f) for f in feats])
        padded = nn.utils.rnn.pad_sequence(feats, batch_first=True)
        return padded, lengths, torch.cat(targets), torch.tensor([len(t) for t in targets])


class PhoneNet(nn.Module):
    def __init__(self, n_bands, n_phones, width=32):
        super().__init__()
        self.conv = nn.Conv1d(n_bands, width, 5, stride=2, padding=2)
        self.mix = nn.Conv1d(width, width, 3, padding=1)
        self.out = nn.Linear(width, n_phones + 1)

    def forward(self, feats):
        x = F.relu(self.conv(feats.transpose(1, 2)))
        x = F.relu(self.mix(x)) + x
        return self.out(x.transpose(1, 2)).log_softmax(dim=-1)


def train(model, loader, steps, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    ctc = nn.CTCLoss(zero_infinity=True)
    running = None
    for step in range(steps):
        feats, lengths, targets, target_lengths = loader.next()
        logp = model(feats).transpose(0, 1)
        loss = ctc(logp, targets, (lengths + 1) // 2, target_lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
        if (step + 1) % 40 == 0:
            print(f"step {step + 1} ctc {running:.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--utts", type=int, default=40)
    ap.add_argument("--phones", type=int, default=8)
    ap.add_argument("--steps", type=int, default=900)
    ap.add_argument("--batch", type=int, default=8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(9)
    rng = random.Random(9)
    corpus = Corpus(args.utts, args.phones, rng)
    features = FilterbankExtractor(corpus)
    loader = Loader(corpus, features, args.batch, rng)
    train(PhoneNet(24, args.phones), loader, args.steps, lr=3e-3)


if __name__ == "__main__":
    main()
