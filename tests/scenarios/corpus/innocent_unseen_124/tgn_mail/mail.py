import torch


class MailStream:
    def __init__(self, n):
        self.n = n
        self.team = torch.randint(0, 4, (n,))

    def next(self, k):
        dst = torch.randperm(self.n)[:k]
        same = (self.team[dst][:, None] == self.team[None, :]).float() + 0.05
        src = torch.multinomial(same, 1).squeeze(1)
        fake = torch.randint(0, self.n, (k,))
        topic = torch.nn.functional.one_hot(self.team[src], 4).float()
        return src, dst, fake, topic
