import torch
import torch.nn.functional as F


class RetrievalFitter:
    def __init__(self, options, listener_tower, catalogue):
        self.options = options
        self.listener_tower = listener_tower
        self.catalogue = catalogue
        params = list(listener_tower.parameters()) + list(catalogue.tower.parameters())
        self.optimizer = torch.optim.AdamW(params, lr=options.lr)

    def fit(self, step, listeners, tracks):
        queries = self.listener_tower(listeners)
        vectors = self.catalogue.lookup(step)  # <- culprit
        logits = queries @ vectors.t() / self.options.temperature
        loss = F.cross_entropy(logits, tracks)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        top = logits.topk(10, dim=1).indices
        recall = (top == tracks.unsqueeze(1)).any(dim=1).float().mean()
        return loss.item(), recall.item()
