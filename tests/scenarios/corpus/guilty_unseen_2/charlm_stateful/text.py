import torch


class Text:
    def __init__(self, vocab, length, batch, bptt):
        seq = (torch.arange(length) * 7 // 3 + torch.randint(0, 2, (length,))) % vocab
        self.data = seq[: length // batch * batch].view(batch, -1)
        self.bptt = bptt

    def __iter__(self):
        for i in range(0, self.data.size(1) - self.bptt - 1, self.bptt):
            yield self.data[:, i:i + self.bptt], self.data[:, i + 1:i + 1 + self.bptt]
