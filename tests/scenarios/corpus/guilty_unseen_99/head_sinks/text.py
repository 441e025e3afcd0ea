import torch


class MarkovText:
    def __init__(self, vocab, length, batch):
        self.table = torch.softmax(2.5 * torch.randn(vocab, vocab), dim=-1)
        self.length, self.batch = length, batch

    def sample(self):
        cur = torch.randint(self.table.shape[0], (self.batch,))
        seq = [cur]
        for _ in range(self.length):
            cur = torch.multinomial(self.table[cur], 1).squeeze(1)
            seq.append(cur)
        return torch.stack(seq, dim=1)
