import torch


class Session:
    def __init__(self, graph, optimizer):
        self.graph = graph
        self.optimizer = optimizer
        self.step = 0

    def __enter__(self):
        torch.manual_seed(1)
        return self

    def __exit__(self, *exc):
        return False

    def run(self, feed_dict):
        loss, data = self.graph.total_loss(feed_dict)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.step += 1
        return {"loss": loss.item(), "mse": data.item()}
