import copy

import torch
import torch.nn.functional as F


class Client:
    """Made anew for each round it takes part in."""

    def __init__(self, cid, global_model, shard, lr):
        self.cid = cid
        self.model = copy.deepcopy(global_model)
        self.shard = shard
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.5)
        self.journal = {"loss": [], "logits": []}

    def train(self, epochs=1, batch=16):
        x, y = self.shard
        for _ in range(epochs):
            for idx in torch.randperm(len(x)).split(batch):
                logits = self.model(x[idx])
                loss = F.cross_entropy(logits, y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.journal["loss"].append(loss)
                self.journal["logits"].append(logits)
        return self

    @property
    def weight(self):
        return len(self.shard[0])

    def mean_loss(self):
        return torch.stack([l.detach() for l in self.journal["loss"]]).mean().item()
