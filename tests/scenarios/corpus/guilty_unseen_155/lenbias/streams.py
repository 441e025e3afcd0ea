import torch

BUCKETS = (8, 10, 12, 14, 16, 20)


def ragged_batches(vocab, total, batch=8):
    """Batches of one length each, going round the buckets."""
    for i in range(total):
        length = BUCKETS[i % len(BUCKETS)]
        start = torch.randint(0, vocab, (batch, 1))
        stride = torch.randint(1, 4, (batch, 1))
        yield (start + stride * torch.arange(length)) % vocab
