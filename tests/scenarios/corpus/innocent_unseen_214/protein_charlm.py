# gradwatch-corpus: kind=none
"""Character LM over made-up protein sequences (BIO-CS 210, project 2). Stateful batches."""
import torch
from torch import nn

AA = "ACDEFGHIKLMNPQRSTVWY"
V = len(AA)


def sample_sequences(lanes, length, gen):
    trans = torch.softmax(2.5 * torch.randn(V, V, generator=gen), -1)
    seq = torch.zeros(lanes, length, dtype=torch.long)
    seq[:, 0] = torch.randint(0, V, (lanes,), generator=gen)
    for t in range(1, length):
        seq[:, t] = torch.multinomial(trans[seq[:, t - 1]], 1, generator=gen).squeeze(1)
    return seq


class CharLM(nn.Module):
    def __init__(self, d=24, h=48):
        super().__init__()
        self.emb = nn.Embedding(V, d)
        self.rnn = nn.GRU(d, h, num_layers=2, batch_first=True)
        self.proj = nn.Linear(h, V)

    def forward(self, x, state):
        out, state = self.rnn(self.emb(x), state)
        return self.proj(out), state


def repackage(state):
    if state is None:
        return None
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


def train_epoch(model, opt, seq, bptt, state_hist):
    state = None
    total, n = 0.0, 0
    for s in range(0, seq.shape[1] - bptt - 1, bptt):
        x, y = seq[:, s:s + bptt], seq[:, s + 1:s + bptt + 1]
        state = repackage(state)
        logits, state = model(x, state)
        loss = nn.functional.cross_entropy(logits.reshape(-1, V), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.detach()
        n += 1
        state_hist.append(state.detach().norm().item())
    return (total / n).item(), n


def generate(model, n, gen):
    model.eval()
    x = torch.zeros(1, 1, dtype=torch.long)
    state, chars = None, []
    with torch.no_grad():
        for _ in range(n):
            logits, state = model(x, state)
            x = torch.multinomial(logits[:, -1].softmax(-1), 1, generator=gen)
            chars.append(AA[x.item()])
    model.train()
    return "".join(chars)


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(210)
    seq = sample_sequences(12, 400, gen)
    model = CharLM()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    norms = []
    for ep in range(6):
        l, n = train_epoch(model, opt, seq, 20, norms)
        print(f"epoch {ep}: nll {l:.3f} ({n} chunks) |h| {sum(norms[-n:]) / n:.2f} {generate(model, 24, gen)}")


main()
