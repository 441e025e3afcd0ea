# gradwatch-corpus: kind=memory-climb
# holder: self.encoded | self.cache.encoded | encoder.cache.encoded | self.encoder.cache.encoded | probe.encoder.cache.encoded | cache.encoded
# first-bad: 1
# notice: 100
"""Linear probe on a frozen caption encoder, with the encoder's outputs cached.

The encoder is the expensive part and never changes, so each batch of captions has to be encoded
only once; later epochs read the features from the cache.
"""
import argparse
from dataclasses import dataclass, field
from typing import Callable, Dict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class FeatureCache:
    """Maps a batch of token ids to its features."""

    compute: Callable[[torch.Tensor], torch.Tensor]
    encoded: Dict[torch.Tensor, torch.Tensor] = field(default_factory=dict)

    def get(self, tokens: torch.Tensor) -> torch.Tensor:
        features = self.encoded.get(tokens)  # <- culprit
        if features is None:
            features = self.compute(tokens)
            self.encoded[tokens] = features  # <- culprit
        return features


class FrozenCaptionEncoder(nn.Module):
    def __init__(self, vocab: int, dim: int):
        super().__init__()
        self.token = nn.Embedding(vocab, dim)
        self.mix = nn.TransformerEncoderLayer(dim, 2, 2 * dim, dropout=0.0, batch_first=True)
        self.requires_grad_(False)
        self.eval()
        self.cache = FeatureCache(self.encode)

    @torch.no_grad()
    def encode(self, tokens):
        return self.mix(self.token(tokens))

    def forward(self, tokens):
        return self.cache.get(tokens)


class AttentiveProbe(nn.Module):
    """Pools token features by a learned query and classifies them."""

    def __init__(self, encoder, dim, n_classes):
        super().__init__()
        self.encoder = encoder
        self.query = nn.Parameter(0.1 * torch.randn(dim))
        self.head = nn.Linear(dim, n_classes)

    def forward(self, tokens):
        feats = self.encoder(tokens)
        attention = torch.softmax(feats @ self.query, dim=1)
        return self.head((attention.unsqueeze(-1) * feats).sum(1))


def captions(n, length, vocab, n_classes):
    label = torch.randint(n_classes, (n,))
    tokens = torch.randint(vocab, (n, length))
    hint = torch.rand(n, length) < 0.2
    tokens = torch.where(hint, label[:, None].expand_as(tokens), tokens)
    return TensorDataset(tokens, label)


def run_epoch(probe, loader, optimizer):
    hits = seen = 0
    for tokens, label in loader:
        logits = probe(tokens)
        loss = F.cross_entropy(logits, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(-1) == label).sum().item()
        seen += len(label)
    return hits / seen


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch-size", type=int, default=64)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(8)

    # batches keep their composition over the epochs, as the cache works on whole batches
    loader = DataLoader(captions(512, 16, 200, 6), batch_size=args.batch_size, shuffle=False)
    encoder = FrozenCaptionEncoder(vocab=200, dim=32)
    probe = AttentiveProbe(encoder, 32, 6)
    optimizer = torch.optim.Adam([p for p in probe.parameters() if p.requires_grad], lr=5e-3)
    for epoch in range(args.epochs):
        accuracy = run_epoch(probe, loader, optimizer)
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
