import torch


class TokenStream:
    def __init__(self, vocab, length, batch):
        trans = torch.softmax(torch.randn(vocab, vocab) * 3, 1)
        seq = [0]
        for _ in range(length - 1):
            seq.append(int(torch.multinomial(trans[seq[-1]], 1)))
        n = length // batch
        self.data = torch.tensor(seq[: n * batch]).view(batch, n).t().contiguous()

    def chunks(self, bptt):
        for i in range(0, self.data.size(0) - 1 - bptt, bptt):
            yield self.data[i:i + bptt], self.data[i + 1:i + 1 + bptt]
