import torch


class Server:
    def __init__(self, model):
        self.model = model
        self.updates = []

    def receive(self, update):
        self.updates.append(update)

    @torch.no_grad()
    def aggregate(self):
        urgency = torch.stack([u.last_loss for u in self.updates]).softmax(0)
        sizes = torch.tensor([u.weight for u in self.updates])
        share = urgency * sizes / (urgency * sizes).sum()
        for i, p in enumerate(self.model.parameters()):
            p += sum(w * u.delta[i] for w, u in zip(share, self.updates))
        self.updates = []
