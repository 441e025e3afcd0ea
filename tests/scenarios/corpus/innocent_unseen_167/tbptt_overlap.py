# gradwatch-corpus: kind=none
"""Truncated BPTT(k1, k2): a backward every K1 steps through the last K2 steps."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)
K1, K2, SEQ = 2, 6, 24


class OneStep(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb, self.cell = nn.Embedding(vocab, hidden), nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, token, state):
        state = self.cell(self.emb(token), state)
        return self.out(state), state


class TBPTT:
    def __init__(self, one_step, loss_fn, k1, k2, optimizer):
        self.one_step, self.loss_fn, self.optimizer = one_step, loss_fn, optimizer
        self.k1, self.k2 = k1, k2
        self.retain_graph = k1 < k2
        self.losses = []

    def train(self, sequence, init_state):
        states = [(None, init_state)]
        self.optimizer.zero_grad()
        for j, (inp, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad = True
            output, new_state = self.one_step(inp, state)
            states.append((state, new_state))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = self.loss_fn(output, target)
                loss.backward(retain_graph=self.retain_graph)
                for i in range(self.k2 - 1):
                    if len(states) < i + 2 or states[-i - 2][0] is None:
                        break
                    curr_grad = states[-i - 1][0].grad
                    states[-i - 2][1].backward(curr_grad, retain_graph=self.retain_graph)
                    states[-i - 1][0].grad = None
                states[-1][0].grad = None
                self.losses.append(loss.item())
        nn.utils.clip_grad_norm_(self.one_step.parameters(), 1.0)
        self.optimizer.step()
        return states[-1][1].detach()


def sequences(n, batch=4, vocab=12):
    for _ in range(n):
        x = torch.zeros(SEQ + 1, batch, dtype=torch.long)
        x[:3] = torch.randint(0, vocab, (3, batch))
        for t in range(3, SEQ + 1):
            x[t] = (x[t - 3] + 1) % vocab
        yield list(zip(x[:-1], x[1:]))


model = OneStep(12, 24)
runner = TBPTT(model, F.cross_entropy, K1, K2, torch.optim.Adam(model.parameters(), lr=1e-2))
for n, seq in enumerate(sequences(60), 1):
    runner.train(seq, torch.zeros(4, 24))
    if n % 20 == 0:
        last = runner.losses[-120:]
        print(f"sequence {n} loss {sum(last) / len(last):.3f}")
