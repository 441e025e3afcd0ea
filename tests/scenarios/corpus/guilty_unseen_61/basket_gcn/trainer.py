"""BPR training over sampled triples."""
import torch


class Trainer:
    def __init__(self, model, graph, lr, batch=64):
        self.model, self.graph, self.batch = model, graph, batch
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.last = float("nan")

    def run(self, steps):
        self.model.train()
        for step in range(steps):
            user, pos, neg = self.graph.sample(self.batch)
            self.model.propagation.tick(step)
            loss = self.model.bpr(user, pos, neg)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.last = loss.item()
