import torch
import torch.nn.functional as F
from torch import nn

from reports import LocalReport

KEYS = 28
CONTEXT = 4


def next_key_model():
    return nn.Sequential(
        nn.Embedding(KEYS, 12),
        nn.Flatten(),
        nn.Linear(12 * CONTEXT, 48),
        nn.ReLU(),
        nn.Linear(48, KEYS),
    )


class Phone:
    """Keeps its own habits (a transition table) and nothing else between turns."""

    def __init__(self, cid, local_steps, lr, batch=32):
        self.cid = cid
        self.local_steps = local_steps
        self.lr = lr
        self.batch = batch
        self.gen = torch.Generator().manual_seed(1000 + cid)
        self.habits = torch.softmax(2.5 * torch.randn(KEYS, KEYS, generator=self.gen), -1)

    def sample(self):
        seq = [torch.randint(KEYS, (self.batch,), generator=self.gen)]
        for _ in range(CONTEXT):
            nxt = torch.multinomial(self.habits[seq[-1]], 1, generator=self.gen)
            seq.append(nxt.squeeze(1))
        seq = torch.stack(seq, 1)
        return seq[:, :CONTEXT], seq[:, CONTEXT]

    def train(self, weights):
        model = next_key_model()
        model.load_state_dict(weights)
        opt = torch.optim.SGD(model.parameters(), lr=self.lr, momentum=0.5)
        first = None
        for _ in range(self.local_steps):
            ctx, key = self.sample()
            opt.zero_grad()
            loss = F.cross_entropy(model(ctx), key)
            loss.backward()
            opt.step()
            if first is None:
                first = loss.item()
        with torch.no_grad():
            delta = {k: p - weights[k] for k, p in model.state_dict().items()}
        report = LocalReport(client=self.cid, examples=self.batch * self.local_steps,
                             first_loss=first, final_loss=loss)  # <- culprit
        return delta, report
