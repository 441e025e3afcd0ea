# gradwatch-corpus: kind=graph-chain
# holder: self.slots | reader.slots
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryReader(nn.Module):
    """Reads a stream of sentence vectors; each new sentence attends
    over the last `n_slots` summaries before it is written back."""

    def __init__(self, d_in, d_mem, n_slots, n_answers):
        super().__init__()
        self.n_slots = n_slots
        self.d_mem = d_mem
        self.write = nn.Linear(d_in, d_mem)
        self.query = nn.Linear(d_in, d_mem)
        self.answer_in = nn.Linear(d_in, n_answers)
        self.answer_mem = nn.Parameter(torch.randn(d_mem, n_answers) * 0.1)
        self.slots = torch.zeros(1, d_mem)

    def forward(self, x):
        q = self.query(x)
        scores = q @ self.slots.t() / self.d_mem ** 0.5
        att = F.softmax(scores, dim=-1)
        context = att @ self.slots
        summary = torch.tanh(self.write(x) + context)
        self.slots = torch.cat([self.slots, summary], dim=0)[-self.n_slots:]  # <- culprit
        readout = self.answer_mem * 0.5
        return self.answer_in(x) + summary @ readout


class StoryStream:
    def __init__(self, d_in, n_answers, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.proj = torch.randn(d_in, n_answers, generator=self.g)
        self.d_in = d_in
        self.topic = torch.zeros(1, d_in)

    def __iter__(self):
        return self

    def __next__(self):
        noise = torch.randn(1, self.d_in, generator=self.g)
        self.topic = 0.8 * self.topic + 0.6 * noise
        x = self.topic + 0.3 * torch.randn(1, self.d_in, generator=self.g)
        y = (self.topic @ self.proj).argmax(dim=-1)
        return x, y


def train(n_steps=500):
    torch.manual_seed(5)
    reader = MemoryReader(d_in=20, d_mem=16, n_slots=8, n_answers=5)
    optim = torch.optim.SGD(reader.parameters(), lr=0.02)
    stream = StoryStream(20, 5)

    hits = 0
    seen = 0
    for i, (x, y) in enumerate(stream):
        if i == n_steps:
            break
        logits = reader(x)
        loss = F.cross_entropy(logits, y)

        optim.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optim.step()

        hits += int(logits.argmax(-1).eq(y))
        seen += 1
        if seen == 100:
            print(f"{i + 1:5d} | loss {loss.item():.3f} | acc {hits / seen:.2f}")
            hits = seen = 0
    return reader


if __name__ == "__main__":
    model = train()
    print("slots kept:", model.slots.shape[0])
