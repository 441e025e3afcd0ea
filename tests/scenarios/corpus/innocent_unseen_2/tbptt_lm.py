# gradwatch-corpus: kind=none
"""Truncated BPTT, LSTM state kept on the module and repackaged."""
import torch
from torch import nn


def repackage(h):
    return h.detach() if torch.is_tensor(h) else tuple(repackage(v) for v in h)


class LM(nn.Module):
    def __init__(self, v=14, d=20):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(v, d), nn.LSTM(d, d, 2, batch_first=True), nn.Linear(d, v)
        self.state = None

    def forward(self, x):
        if self.state is not None:
            self.state = repackage(self.state)
        y, self.state = self.rnn(self.emb(x), self.state)
        return self.out(y)


torch.manual_seed(13)
data = ((torch.arange(6 * 2000) * 5 // 3) % 14).view(6, -1)
lm = LM()
opt = torch.optim.Adam(lm.parameters(), 4e-3)
total_loss, log_every = 0.0, 30
step = 0
for ep in range(2):
    lm.state = None
    for i in range(0, 80 * 8, 8):
        x, y = data[:, i:i + 8], data[:, i + 1:i + 9]
        loss = nn.functional.cross_entropy(lm(x).transpose(1, 2), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(lm.parameters(), 0.25)
        opt.step()
        total_loss += loss.detach()
        step += 1
        if step % log_every == 0:
            print(step, (total_loss / log_every).item())
            total_loss = 0.0
