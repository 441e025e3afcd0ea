"""A recommender with BPR loss whose GRU state is stored only when an indicator says so.

From seeds/000: "when the indicator 'update' is True, I will append some parameters of the
model to this list". The positive item's score against sampled negative ones; the state of a
reviewer's session is stored at each 25th review and starts the following ones.

When run: iterations go well until the flag is set. The one after it raises "Trying to
backward through the graph a second time", for it starts from a state whose graph is freed.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


class Recommender(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.embed = nn.Embedding(n_items, dim)
        self.gru = nn.GRU(dim, dim)
        self.state = None

    def forward(self, inputs, target, neg_targets, update):
        _, state = self.gru(self.embed(inputs), self.state)
        if update:
            self.state = state
        user = state[0].unsqueeze(-1)
        pos_score = self.embed(target).unsqueeze(1) @ user
        neg_scores = self.embed(neg_targets) @ user
        return pos_score, neg_scores


def loss_function(pos_score, neg_scores):
    return -torch.mean(torch.log(torch.sigmoid(pos_score - neg_scores)))  # BPR loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    iterations = parser.parse_args().iterations

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    n_items, reviewers, num_steps = 5_000, 32, 8
    model = Recommender(n_items, 64).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in islice(count(1), iterations or None):
        inputs = torch.randint(n_items, (num_steps, reviewers), device=device)
        target = torch.randint(n_items, (reviewers,), device=device)
        neg_targets = torch.randint(n_items, (reviewers, 20), device=device)
        pos_score, neg_scores = model(inputs, target, neg_targets, update=i % 25 == 0)
        loss = loss_function(pos_score, neg_scores)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        if i % 100 == 0:
            print(f"review {i}: loss {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()
