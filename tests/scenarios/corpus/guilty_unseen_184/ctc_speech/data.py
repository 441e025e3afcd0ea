import torch


def utterances(n, batch=6, tokens=4, frames=5, mels=20, vocab=9):
    """Every token is a fixed spectrum held for some frames."""
    g = torch.Generator().manual_seed(12)
    spectra = torch.randn(vocab, mels, generator=g)
    for _ in range(n):
        targets = torch.randint(1, vocab, (batch, tokens), generator=g)
        feats = spectra[targets].repeat_interleave(frames, dim=1)
        feats = feats + 0.3 * torch.randn(feats.shape, generator=g)
        in_len = torch.full((batch,), feats.shape[1], dtype=torch.long)
        tgt_len = torch.full((batch,), tokens, dtype=torch.long)
        yield feats, targets, in_len, tgt_len
