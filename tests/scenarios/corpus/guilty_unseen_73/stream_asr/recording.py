import torch


class Recording:
    """A long synthetic recording: each phone has a spectral template."""

    def __init__(self, batch, chunk, mels, phones, max_chunks):
        self.batch, self.chunk, self.max_chunks = batch, chunk, max_chunks
        self.phones = phones
        self.templates = torch.randn(phones, mels)

    def __len__(self):
        return self.max_chunks

    def __iter__(self):
        per = 4
        for _ in range(self.max_chunks):
            ids = torch.randint(0, self.phones, (self.batch, self.chunk // per))
            feats = self.templates[ids].repeat_interleave(per, dim=1)
            feats = feats + 0.3 * torch.randn_like(feats)
            keep = ids[:, :3] + 1
            yield feats, keep, torch.full((self.batch,), 3, dtype=torch.long)
