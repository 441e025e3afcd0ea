import torch


class Wiki:
    vocab = 150

    def __init__(self, documents, topics, length=14):
        g = torch.Generator().manual_seed(77)
        topic = torch.rand(topics, self.vocab, generator=g).pow(8)
        which = torch.randint(topics, (documents,), generator=g)
        self.docs = torch.multinomial(topic[which], length, generator=g)

    def draw(self, n, g):
        return torch.randperm(len(self.docs), generator=g)[:n].tolist()

    def text(self, ids):
        return self.docs[ids]

    def ask(self, ids, g):
        d = self.docs[ids]
        pick = torch.rand(d.shape, generator=g).argsort(1)[:, :4]
        return d.gather(1, pick)
