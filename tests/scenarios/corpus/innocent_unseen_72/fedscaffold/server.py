import torch


class Server:
    def __init__(self, net, clients, test):
        self.net, self.clients, self.test = net, clients, test
        self.control = [torch.zeros_like(p) for p in net.parameters()]
        self.history = []

    def round(self, picked, steps):
        weights = [p.detach() for p in self.net.parameters()]
        uploads = []
        for c in picked:
            c.receive(weights)
            uploads.append(c.train(self.control, steps))
        drift = self.aggregate(uploads)
        info = {"loss": torch.stack([c.last_loss for c in picked]).mean().item(), "drift": drift, "acc": self.evaluate()}
        self.history.append(info)
        return info

    @torch.no_grad()
    def aggregate(self, uploads):
        drift = 0.0
        for k, p in enumerate(self.net.parameters()):
            step = torch.stack([dw[k] for dw, _ in uploads]).mean(0)
            p.add_(step)
            self.control[k] += torch.stack([dc[k] for _, dc in uploads]).sum(0) / len(self.clients)
            drift += step.pow(2).sum().item()
        return drift

    @torch.no_grad()
    def evaluate(self):
        x, y = self.test
        return (self.net(x).argmax(1) == y).float().mean().item()
