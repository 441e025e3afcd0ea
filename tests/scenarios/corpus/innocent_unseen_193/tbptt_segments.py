# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


class CharModel(nn.Module):
    def __init__(self, vocab=20, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.LSTMCell(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids, state):
        state = self.cell(self.emb(ids), state)
        return self.out(state[0]), state


def main(tokens=1600, bptt=4, batch=8):
    torch.manual_seed(0)
    text = (torch.arange(tokens + 1)[:, None] * 3 + torch.randint(20, (1, batch))) % 20
    model = CharModel()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = (torch.zeros(batch, 24), torch.zeros(batch, 24))
    window, history = [], []
    for t in range(tokens):
        logits, state = model(text[t], state)
        window.append(F.cross_entropy(logits, text[t + 1]))
        if len(window) == bptt:
            loss = torch.stack(window).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            state = repackage(state)
            history.extend(w.item() for w in window)
            window.clear()
            if len(history) % 400 == 0:
                print(t + 1, sum(history[-400:]) / 400)


if __name__ == "__main__":
    main()
