import torch


class Corpus:
    def __init__(self, vocab):
        self.vocab = vocab

    def sample(self, n):
        ids, cur = [], 0
        for jump in torch.randint(0, 3, (n,)).tolist():
            cur = (cur * 5 + jump + 1) % self.vocab
            ids.append(cur)
        return torch.tensor(ids)


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[:n * bsz].view(bsz, -1).t().contiguous()


def segments(source, bptt):
    for i in range(0, source.size(0) - 1, bptt):
        n = min(bptt, source.size(0) - 1 - i)
        yield source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)
