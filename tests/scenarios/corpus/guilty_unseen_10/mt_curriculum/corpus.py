"""A toy parallel corpus: the 'translation' maps each token and reverses the order of pairs of tokens."""
import torch

PAD, BOS = 0, 1


class ParallelCorpus:
    def __init__(self, n_pairs=2000, vocab=60, max_len=8, seed=13):
        g = torch.Generator().manual_seed(seed)
        self.vocab = vocab
        self.lengths = torch.randint(3, max_len + 1, (n_pairs,), generator=g)
        self.src = torch.randint(2, vocab, (n_pairs, max_len), generator=g)
        table = torch.randperm(vocab - 2, generator=g) + 2
        tgt = table[self.src - 2]
        tgt = tgt.view(n_pairs, max_len // 2, 2).flip(-1).reshape(n_pairs, max_len)
        keep = torch.arange(max_len)[None] < self.lengths[:, None]
        self.src = self.src.masked_fill(~keep, PAD)
        self.tgt = tgt.masked_fill(~keep, PAD)

    def __len__(self):
        return len(self.lengths)

    def gather(self, idx):
        return self.src[idx], self.tgt[idx]
