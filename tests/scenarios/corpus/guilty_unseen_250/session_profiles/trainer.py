import torch
import torch.nn.functional as F


class OnlineTrainer:
    def __init__(self, config, ranker, profiles):
        self.ranker = ranker
        self.profiles = profiles
        self.optimizer = torch.optim.Adam(ranker.parameters(), lr=config.lr)

    def consume(self, event):
        item_vectors = self.ranker.viewed_items(event.viewed)
        profile = self.profiles.absorb(item_vectors)
        logits = self.ranker.score(profile, event.shown)
        loss = F.binary_cross_entropy_with_logits(logits, event.clicked)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return loss.item()
