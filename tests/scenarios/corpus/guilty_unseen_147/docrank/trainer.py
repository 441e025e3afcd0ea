import torch

from .ranker import Ranker


class RankTrainer:
    def __init__(self, corpus, lr=0.01):
        self.corpus = corpus
        self.ranker = Ranker(corpus)
        self.opt = torch.optim.Adagrad(self.ranker.parameters(), lr=lr)

    def listwise(self, scores, slate):
        gain = torch.softmax(4 * self.corpus.relevance[slate], 0)
        return -(gain * torch.log_softmax(scores, 0)).sum()

    def _update(self, slate):
        objective = self.listwise(self.ranker(slate), slate)
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        return objective.item()

    def train(self, epochs):
        for epoch in range(epochs):
            vals = [self._update(s) for s in self.corpus.slates(4)]
            print(epoch, round(sum(vals) / len(vals), 4))
