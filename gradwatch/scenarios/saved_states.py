"""A session recommender that keeps its last hidden states to attend over them.

From seeds/000: the model with rnn_first, rnn_last and `rnn_states`, trained with
retain_graph=True because it raised without. Each step feeds one more input to the GRU, slices
the oldest state off and appends the newest: "I need these hidden state to multiply the
attention weight". Parameters are updated through .data, as was the custom; after an optimizer's
step the second backward would be an in-place error.

When run: no error, but a window of eight states bounds nothing. The newest state was computed
from the one before it, and that one from its own predecessor: the loss reaches every step
since the first, more each iteration.
"""

import argparse
from itertools import count, islice

import torch
import torch.nn.functional as F
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


class Recommender(nn.Module):
    def __init__(self, n_items, global_dim):
        super().__init__()
        self.global_dim, self.batch_size, self.keep_prob = global_dim, 1, 0.1
        self.embed = nn.Embedding(n_items, global_dim)
        self.gru = nn.GRU(global_dim, global_dim)
        self.attention = nn.Linear(global_dim, global_dim)

    def rnn(self, rnn_first, rnn_last, inputs_r, target):
        rnn_inputs = F.alpha_dropout(self.embed(inputs_r), p=self.keep_prob)
        if rnn_first:
            self.state = rnn_inputs.new_zeros(1, self.batch_size, self.global_dim)
            state_s = []
            for i in rnn_inputs:
                self.step(i)
                state_s.append(self.state.view(1, self.global_dim))
            self.rnn_states = torch.cat(state_s)
        else:  # one input each time; the last one is the target itself
            self.state = self.rnn_states[-1].view(1, self.batch_size, self.global_dim)
            self.step(self.embed(target) if rnn_last else rnn_inputs[-1])
            self.rnn_states = torch.cat(torch.split(self.rnn_states, 1)[1:])
            self.rnn_states = torch.cat((self.rnn_states, self.state.view(1, self.global_dim)))

    def step(self, rnn_input):
        rnn_input = rnn_input.view(1, self.batch_size, self.global_dim)
        _rnn_out, self.state = self.gru(rnn_input, self.state)

    def forward(self, rnn_first, rnn_last, inputs_r, target, neg_targets):
        self.rnn(rnn_first, rnn_last, inputs_r, target)
        weights = torch.softmax(self.rnn_states @ self.attention(self.rnn_states[-1]), 0)
        user = weights @ self.rnn_states
        return self.embed(target) @ user, self.embed(neg_targets) @ user


def loss_function(pos_score, neg_scores):
    return -torch.mean(torch.log(torch.sigmoid(pos_score - neg_scores)), 0)  # BPR loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    iterations = parser.parse_args().iterations

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    num_steps, n_items = 8, 5_000
    model = Recommender(n_items, 64).to(device)
    inputs_ = torch.randint(n_items, (num_steps + 1,), device=device)
    for i in islice(count(), iterations or None):
        neg_targets = torch.randint(n_items, (20,), device=device)
        pos_score, neg_scores = model(
            i == 0, i == iterations - 1, inputs_[:-1], inputs_[-1], neg_targets
        )
        loss = loss_function(pos_score, neg_scores)
        model.zero_grad()
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-0.01)
        inputs_ = torch.cat((inputs_[1:], torch.randint(n_items, (1,), device=device)))
        if i % 100 == 0:
            print(f"step {i}: loss {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()
