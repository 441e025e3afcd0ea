import torch


class Corpus:
    def __init__(self, papers, topics):
        self.topic = torch.randint(0, topics, (papers,))
        self.words = torch.nn.functional.one_hot(self.topic, topics).float() + 0.4 * torch.randn(papers, topics)
        adj = (self.topic[:, None] == self.topic[None]) & (torch.rand(papers, papers) < 0.3)
        adj = (adj | adj.T).float() + torch.eye(papers)
        deg = adj.sum(1).rsqrt()
        self.adj = deg[:, None] * adj * deg[None]

    def pairs(self, batch, batches):
        for _ in range(batches):
            src, dst = torch.randint(0, len(self.topic), (2, batch))
            yield src, dst, (self.topic[src] == self.topic[dst]).float()
