# gradwatch-corpus: kind=graph-chain
# holder: self.value | self.meters[name].value | self.meters["rating"].value | self.meters["click"].value | self.balancer.meters["rating"].value | self.balancer.meters["click"].value | trainer.balancer.meters["rating"].value | trainer.balancer.meters["click"].value
# first-bad: 1
"""Joint rating / click recommender with automatically balanced task losses."""
import argparse

import torch

from balance import LossBalancer
from model import TwoTaskMF, synthetic_events


class Trainer:
    def __init__(self, model, optimizer, balancer, log_every=50):
        self.model = model
        self.optimizer = optimizer
        self.balancer = balancer
        self.log_every = log_every
        self.step = 0

    def train_batch(self, users, items, stars, clicked):
        rating, click_logit = self.model(users, items)
        losses = {
            "rating": torch.nn.functional.mse_loss(rating, stars),
            "click": torch.nn.functional.binary_cross_entropy_with_logits(click_logit, clicked),
        }
        total = self.balancer(losses)
        self.optimizer.zero_grad()
        # the scales are shared between the tasks
        total.backward(retain_graph=True)
        self.optimizer.step()
        if self.step % self.log_every == 0:
            parts = ", ".join(f"{k}={v.item():.4f}" for k, v in losses.items())
            print(f"[{self.step:4d}] total={total.item():.4f} {parts}")
        self.step += 1

    def fit(self, events, epochs, batch_size):
        n = events[0].numel()
        for _ in range(epochs):
            order = torch.randperm(n)
            for start in range(0, n, batch_size):
                pick = order[start:start + batch_size]
                self.train_batch(*(e[pick] for e in events))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--rank", type=int, default=12)
    ap.add_argument("--lr", type=float, default=2e-2)
    args = ap.parse_args()

    torch.manual_seed(3)
    events = synthetic_events(num_users=120, num_items=90, count=2560)
    model = TwoTaskMF(120, 90, args.rank)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    trainer = Trainer(model, optimizer, LossBalancer(["rating", "click"], decay=0.95))
    trainer.fit(events, args.epochs, args.batch_size)


if __name__ == "__main__":
    main()
