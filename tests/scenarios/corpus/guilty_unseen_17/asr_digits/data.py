"""Made-up digit strings: each digit is a band of energy in the filterbank for a few frames."""
import torch


class SyntheticDigits:
    def __init__(self, n_batches, batch_size, n_mels, digits, frames_per_digit, seed):
        self.__dict__.update(locals())

    def __len__(self):
        return self.n_batches

    def __iter__(self):
        gen = torch.Generator().manual_seed(self.seed)
        for b in range(self.n_batches):
            tokens = torch.randint(1, 11, (self.batch_size, self.digits), generator=gen)
            centre = tokens.repeat_interleave(self.frames_per_digit, dim=1).unsqueeze(-1) * (self.n_mels / 12)
            mel = torch.arange(self.n_mels).view(1, 1, -1)
            feats = torch.exp(-0.5 * ((mel - centre) / 1.2) ** 2)
            gap = torch.arange(feats.shape[1]) % self.frames_per_digit == 0
            feats[:, gap] = 0.0
            feats = feats + 0.2 * torch.randn(feats.shape, generator=gen)
            ids = [f"utt-{b:04d}-{i:02d}" for i in range(self.batch_size)]
            yield {"id": ids, "feats": feats, "tokens": tokens}
