import torch


class RankEngine:
    def __init__(self, model, balancer, lr):
        self.model = model
        self.balancer = balancer
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.steps = 0

    def _forward(self, batch):
        return self.balancer(self.model(batch["features"]), batch)

    def fit_batch(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        total, parts = self._forward(batch)
        total.backward(retain_graph=True)
        self.optimizer.step()
        self.steps += 1
        return parts
